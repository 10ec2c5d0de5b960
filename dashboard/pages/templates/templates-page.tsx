import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { layoutTemplate, pencil, plus } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { loadFailed, searchPlaceholder } from '../../../widgets/lib/template-messages.ts'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { UndoBar } from '../../kit/undo-bar.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { SearchField } from './search-field.tsx'
import { TemplateRows } from './template-rows.tsx'
import { css } from './templates.css'
import { createTemplatesStore, type TemplateRow, type TemplatesStore } from './templates-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const sheet = createSheet(css)

/** /dashboard/templates: the workspace's own templates. */
export function TemplatesPage() {
  const t = useText()
  useSheet(sheet)
  const { session, notify, go } = useApp()
  const userId = useSnapshot(session.state).user?.id ?? ''
  const [store] = useState(() => createTemplatesStore({ session, notify, userId }))
  useEffect(() => () => store.close(), [store])
  const { status, rows, searched, totalCount, search, error, query, shown, asked } = useSnapshot(store.state, {
    sync: true,
  })
  const all = rows as readonly TemplateRow[]
  const { found, foundCount } = findRows(store, {
    all,
    searched: searched as readonly TemplateRow[],
    query,
    totalCount,
  })
  const edit = useCallback(({ id }: { id: string }) => go('/dashboard/create', { state: { template: { id } } }), [go])

  let content: ReactNode = null
  const isSearching = search.status === 'searching'
  if (found.length > 0) {
    const how = { rows: found, count: foundCount, isComplete: !isSearching, store, notify, onEdit: edit }
    content = <TemplateRows {...how} />
  } else if (all.length > 0 && isSearching) content = <Bones />
  else if (all.length > 0 && search.status !== 'failed') {
    content = (
      <EmptyState
        level={2}
        icon={layoutTemplate}
        title={t('Nothing found')}
        text={t('No template contains “{query}”.', { query: query.trim() })}
      >
        <Button onClick={() => store.search('')}>{t('Clear search')}</Button>
      </EmptyState>
    )
  } else if (status === 'failed') {
    content = <ErrorState level={2} title={loadFailed} text={error} onRetry={() => void store.reload()} />
  } else if (status === 'loading') {
    content = <Bones />
  } else if (search.status !== 'failed') {
    content = (
      <EmptyState
        level={2}
        icon={layoutTemplate}
        title={t('No templates yet')}
        text={t('Create a template, or copy one from the template library.')}
      >
        <div className="empty-ways">
          <ButtonLink href="/dashboard/create" kind="primary">
            {t('New Template')}
          </ButtonLink>
          <ButtonLink href="/dashboard/globalTemplates">{t('Browse the template library')}</ButtonLink>
        </div>
      </EmptyState>
    )
  }
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Templates')}>{t('Reusable messages. Each has a key for API calls.')}</ScreenHeader>
        <ButtonLink href="/dashboard/create" kind="primary" icon={plus}>
          {t('New Template')}
        </ButtonLink>
      </div>
      <Undo store={store} />
      <section className="panel" aria-label={t('My templates')}>
        <div className="list-search">
          <SearchField
            label={t('Search templates')}
            placeholder={searchPlaceholder}
            value={query}
            count={all.length === 0 ? null : { found: foundCount, all: totalCount }}
            onValue={(text) => store.search(text)}
          />
        </div>
        {all.length > 0 && status === 'failed' && (
          <p className="list-old" role="alert">
            {t('Not up to date: {error}', { error: error ?? '' })}{' '}
            <Button onClick={() => void store.reload()}>{t('Try Again')}</Button>
          </p>
        )}
        {search.status === 'failed' && (
          <p className="list-old" role="alert">
            {t('The search is not complete: {error}', { error: search.error ?? '' })}{' '}
            <Button onClick={() => store.loadMore()}>{t('Try Again')}</Button>
          </p>
        )}
        {content}
      </section>
      {shown && (
        <PreviewDialog template={shown as TemplateRow} onClosed={() => store.preview(null)}>
          {(close) => (
            <>
              <Button onClick={close}>{t('Close')}</Button>
              <Button kind="primary" icon={pencil} onClick={() => edit(shown)}>
                {t('Edit in Designer')}
              </Button>
            </>
          )}
        </PreviewDialog>
      )}
      {asked && <DeleteDialog store={store} />}
    </>
  )
}

function Bones() {
  return <SkeletonRows className="row-bones" widths={['46%', '58%', '40%', '52%']} second="72%" />
}

function Undo({ store }: { store: TemplatesStore }) {
  const { deleted, undo } = useSnapshot(store.state)
  return (
    <UndoBar
      name={deleted?.name ?? null}
      done="deleted"
      busy={undo === 'restoring'}
      onUndo={() => void store.bringBack()}
    />
  )
}

interface Loaded {
  all: readonly TemplateRow[]
  searched: readonly TemplateRow[]
  query: string
  totalCount: number
}

/** The rows that are shown, and how many there are in the whole list. */
function findRows(store: TemplatesStore, { all, searched, query, totalCount }: Loaded) {
  if (query.trim() === '') return { found: store.find(all, query), foundCount: totalCount }
  const found = store.find(searched, query)
  return { found, foundCount: store.countFound(found.length) }
}
