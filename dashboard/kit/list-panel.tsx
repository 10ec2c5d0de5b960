import type { ReactNode } from 'react'
import { Button } from '../../widgets/kit/form/button.tsx'
import { search } from '../../widgets/kit/icon/icons.ts'
import { EmptyState, ErrorState } from '../../widgets/kit/feedback/states.tsx'
import { ListToolbar, type ListToolbarProps } from './list-toolbar.tsx'
import type { PagedState } from './paged-store.ts'
import { Pager } from './pager.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

export interface ListPanelProps {
  /** Translated name of the entries, such as 'Campaigns'. */
  name: string
  list: Pick<PagedState<object, object>, 'status' | 'error' | 'offset' | 'totalCount'>
  count: number
  tools: ListToolbarProps
  isFiltered: boolean
  onAll: () => void
  /** Text of the button that shows all; without it 'Show all'. */
  noMatch?: string
  onRetry: () => void
  onTurn: (offset: number) => void
  /** The buttons of the pager; without it 'Newer' and 'Older'. */
  turns?: readonly [before: string, after: string]
  /** Shown for a list that is empty without a filter. */
  empty: ReactNode
  /** The rows. */
  children: ReactNode
}

/** A paged list with search and filters, and its loading, empty and error states. */
export function ListPanel({
  name,
  list,
  count,
  tools,
  isFiltered,
  onAll,
  noMatch,
  onRetry,
  onTurn,
  turns,
  empty,
  children,
}: ListPanelProps) {
  const t = useText()
  const { status, error, offset, totalCount } = list
  const isBare = status === 'ready' && count === 0 && !isFiltered
  return (
    <section className="panel" aria-label={name}>
      {!isBare && <ListToolbar {...tools} />}
      {status === 'failed' && count > 0 && (
        <p className="list-old" role="alert">
          {t('Not up to date: {error}', { error: error ?? '' })} <Button onClick={onRetry}>{t('Try Again')}</Button>
        </p>
      )}
      {count > 0 && children}
      {count === 0 && status === 'loading' && <SkeletonRows widths={['46%', '58%', '40%', '52%']} second="28%" />}
      {count === 0 && status === 'failed' && (
        <ErrorState
          level={2}
          title={t('The {name} could not be loaded', { name: name.toLowerCase() })}
          text={error}
          onRetry={onRetry}
        />
      )}
      {count === 0 && status === 'ready' && isFiltered && (
        <EmptyState level={2} icon={search} title={t('Nothing found')} text={t('No entry matches the search.')}>
          <Button onClick={onAll}>{noMatch ?? t('Show all')}</Button>
        </EmptyState>
      )}
      {isBare && empty}
      {count > 0 && <Pager offset={offset} shown={count} total={totalCount} onTurn={onTurn} turns={turns} />}
    </section>
  )
}
