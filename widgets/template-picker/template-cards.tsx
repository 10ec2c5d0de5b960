import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/form/button.tsx'
import { mail } from '../kit/icon/icons.ts'
import { MailThumbnail } from '../kit/mail/mail-frame.tsx'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../kit/feedback/states.tsx'
import { loadFailed } from '../lib/template-messages.ts'
import { createTemplateSearch } from '../lib/template-search.ts'
import { filledBody, filledSubject } from '../lib/template-preview.ts'
import type { TemplateRecord } from '../lib/template-record.ts'
import { countFound } from './template-rows.ts'
import { css } from './template-cards.css'
import type { TemplatePickerStore } from './template-picker-store.ts'
import { useMessages } from '../kit/text/text.tsx'

const sheet = createSheet(css)

/** How many cards are added at a time. */
const pageCount = 60
/** Level of a heading shown instead of the cards: the first of the widget, on a page that may have only an h1. */
const level = 2

/** The templates of one source as cards, or the state shown instead. A click selects one. */
export function TemplateCards({ store, name }: { store: TemplatePickerStore; name: string }) {
  useSheet(sheet)
  const t = useMessages()
  const { source, query, own, global } = useSnapshot(store.state, { sync: true })
  const list = source === 'own' ? own : global
  const [search] = useState(() => createTemplateSearch<TemplateRecord>())
  const items = list.items as readonly TemplateRecord[]
  const isSearched = query.trim() !== ''
  const searched = (isSearched ? list.searched : items) as readonly TemplateRecord[]
  const found = useMemo(() => search.find(searched, query), [search, searched, query])
  const hasMore = isSearched ? list.search.hasMore : list.hasMore
  const [shown, setShown] = useState({ source, query, count: pageCount })
  const count = shown.source === source && shown.query === query ? shown.count : pageCount

  if (items.length === 0) {
    if (list.status === 'failed') {
      return (
        <ErrorState
          level={level}
          title={t(loadFailed)}
          text={t(list.error ?? '')}
          onRetry={() => void store.reload(source)}
        />
      )
    }
    if (list.status === 'loading') return <CardBones />
    return source === 'own' ? (
      <EmptyState
        level={level}
        icon={mail}
        title={t('No templates yet')}
        text={t('Write a template once, then send it as often as you like.')}
      >
        <Button data-needs="templates:write" kind="primary" onClick={() => store.openCreate()}>
          {t('Create Template')}
        </Button>
      </EmptyState>
    ) : (
      <EmptyState
        level={level}
        icon={mail}
        title={t('No global templates')}
        text={t('The operator of this server has not added any.')}
      />
    )
  }
  const retry = list.search.status === 'failed' && (
    <p className="cards-failed" role="alert">
      {t(list.search.error ?? '')} <Button onClick={() => store.loadMore()}>{t('Try Again')}</Button>
    </p>
  )
  if (found.length === 0) {
    if (list.search.status === 'searching') return <CardBones />
    if (retry !== false) return retry
    return (
      <EmptyState
        level={level}
        icon={mail}
        title={t('Nothing found')}
        text={t('No template contains “{words}”.', { words: query.trim() })}
      >
        <Button onClick={() => store.search('')}>{t('Clear search')}</Button>
      </EmptyState>
    )
  }
  return (
    <>
      <p className="cards-count" role="status">
        {t('{count} template|{count} templates', {
          count: isSearched ? countFound(list, found.length) : list.totalCount,
        })}
      </p>
      <div className="cards-room">
        <ul className="cards" aria-label={name}>
          {found.slice(0, count).map((template) => (
            <li key={template.id}>
              <button type="button" className="template-card" onClick={() => void store.pick(template)}>
                <MailThumbnail html={filledBody(template)} />
                <span className="template-words">
                  <b translate="no">{template.name}</b>
                  <span translate={template.subject === '' ? undefined : 'no'}>
                    {filledSubject(template.subject, template.sample) || t('No subject')}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        {retry}
        {(found.length > count || hasMore) && (
          <div className="cards-more">
            <Button
              onClick={() => {
                setShown({ source, query, count: count + pageCount })
                if (found.length < count + 2 * pageCount) store.loadMore()
              }}
            >
              {t('Show more')}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function CardBones() {
  return (
    <Skeleton>
      <div className="cards">
        {[0, 1, 2].map((at) => (
          <div key={at} className="template-card">
            <div className="thumbnail-bone" />
            <div className="template-words">
              <Bone width="60%" />
              <Bone width="85%" />
            </div>
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
