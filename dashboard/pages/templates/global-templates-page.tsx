import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { library, pencil, plus } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { loadFailed, searchPlaceholder } from '../../../widgets/lib/template-messages.ts'
import type { TemplateRecord } from '../../../widgets/lib/template-record.ts'
import { useApp } from '../../app.ts'
import { readHostedKey } from '../../hosted-key.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { GlobalCards } from './global-cards.tsx'
import { css } from './global-templates.css'
import { createGlobalTemplatesStore } from './global-templates-store.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import { SearchField } from './search-field.tsx'
import { css as listCss } from './templates.css'
import { useText } from '../../../widgets/kit/text/text.tsx'

const sheet = createSheet(css)
const listSheet = createSheet(listCss)

/** /dashboard/globalTemplates: the template library, read-only. */
export function GlobalTemplatesPage() {
  const t = useText()
  useSheet(listSheet)
  useSheet(sheet)
  const { session, notify, go } = useApp()
  const userId = useSnapshot(session.state).user?.id ?? ''
  const [store] = useState(() => createGlobalTemplatesStore({ session, notify, userId, hostedKey: readHostedKey() }))
  useEffect(() => {
    return store.start()
  }, [store])
  const { list, query, category, shown, savingIds } = useSnapshot(store.state, { sync: true })
  const all = list.items as readonly TemplateRecord[]
  const categories = [...new Set(all.map((template) => template.category))].filter((name) => name !== '')
  const found = store.find(all, query).filter((template) => category === null || template.category === category)

  const edit = (template: TemplateRecord) => {
    const id = store.copy(template)
    if (id !== null) go('/dashboard/create', { state: { template: { id } } })
  }
  let content: ReactNode
  if (found.length > 0) {
    content = (
      <GlobalCards
        key={`${category} ${query}`}
        templates={found}
        savingIds={savingIds}
        onShow={(template) => store.preview(template)}
        onSave={(template) => void store.save(template)}
        onEdit={edit}
      />
    )
  } else if (all.length > 0) {
    content = (
      <EmptyState
        level={2}
        icon={library}
        title={t('Nothing found')}
        text={t('No template contains all of these words.')}
      >
        <Button
          onClick={() => {
            store.search('')
            store.choose(null)
          }}
        >
          {t('Show all')}
        </Button>
      </EmptyState>
    )
  } else if (list.status === 'failed') {
    content = <ErrorState level={2} title={loadFailed} text={list.error} onRetry={() => void store.reload()} />
  } else if (list.status === 'loading') content = <CardBones />
  else {
    content = (
      <EmptyState
        level={2}
        icon={library}
        title={t('No global templates')}
        text={t('The operator of this server has not published any templates.')}
      />
    )
  }
  return (
    <>
      <ScreenHeader title={t('Template Library')}>
        {t('Read-only templates. Save one to your templates, or edit a copy.')}
      </ScreenHeader>
      <div className="global-tools">
        <SearchField
          label={t('Search global templates')}
          placeholder={searchPlaceholder}
          value={query}
          count={all.length === 0 ? null : { found: found.length, all: all.length }}
          onValue={(text) => store.search(text)}
        />
        {categories.length > 1 && (
          <div className="global-categories" role="group" aria-label={t('Category')}>
            {[null, ...categories].map((name) => (
              <button key={name} type="button" aria-pressed={name === category} onClick={() => store.choose(name)}>
                {name ?? t('All')}
              </button>
            ))}
          </div>
        )}
      </div>
      {all.length > 0 && list.status === 'failed' && (
        <p className="list-old" role="alert">
          {t('Not up to date: {error}', { error: list.error ?? '' })}{' '}
          <Button onClick={() => void store.reload()}>{t('Try Again')}</Button>
        </p>
      )}
      {content}
      {shown && (
        <PreviewDialog template={shown as TemplateRecord} onClosed={() => store.preview(null)}>
          {(close) => (
            <>
              <Button icon={pencil} onClick={() => edit(shown as TemplateRecord)}>
                {t('Edit a copy')}
              </Button>
              <Button
                kind="primary"
                icon={plus}
                busy={savingIds.includes(shown.id)}
                onClick={() => void store.save(shown as TemplateRecord).then((isSaved) => isSaved && close())}
              >
                {t('Save Template')}
              </Button>
            </>
          )}
        </PreviewDialog>
      )}
    </>
  )
}

function CardBones() {
  return (
    <Skeleton>
      <div className="global-cards">
        {[0, 1, 2, 3, 4, 5].map((at) => (
          <div key={at} className="panel global-card">
            <div className="global-bone" />
            <div className="global-words">
              <Bone width="50%" />
              <Bone width="90%" />
            </div>
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
