import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { codeXml, plus } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import type { Embed } from '../../../contract/embed/embed.ts'
import { useApp } from '../../app.ts'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { createEmbedListStore } from './embed-list-store.ts'
import { widgetLabels } from './scope-labels.ts'
import { ShowMore } from './show-more.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'

const columnsOf = (t: Translate<string>): Column<Embed>[] => [
  {
    label: t('Name'),
    cell: ({ id, name, status }) => (
      <span>
        <a className="row-title" href={`#${id}`}>
          {name}
        </a>
        {status === 'paused' && (
          <>
            {' '}
            <span className="state-pill warn">{t('Paused')}</span>
          </>
        )}
      </span>
    ),
  },
  { label: t('Pages'), cell: ({ allowed_origins: origins }) => <Origins origins={origins} /> },
  { label: t('Widgets'), cell: ({ widgets }) => widgets.map((widget) => t(widgetLabels[widget].name)).join(', ') },
  {
    label: t('Today'),
    cell: ({ recipients_today: count, limits }) => (
      <span className="embed-today">
        {t('{number} of {limit}', { number: count, limit: limits.recipients_per_day })}
      </span>
    ),
  },
]

/** The embeds of the workspace, newest first. */
export function EmbedList() {
  const t = useText()
  const { session } = useApp()
  const [store] = useState(() => createEmbedListStore(session))
  useEffect(() => {
    return store.start()
  }, [store])
  const { status, error, items, totalCount } = useSnapshot(store.state)
  return (
    <section className="panel" aria-labelledby="embed-list">
      <div className="hidden-text">
        <h2 id="embed-list">{t('Your embeds')}</h2>
      </div>
      {status === 'loading' && <SkeletonRows widths={['30%', '42%', '36%']} second="24%" />}
      {status === 'failed' && (
        <ErrorState title={t('The embeds could not be loaded')} text={error} onRetry={() => void store.load()} />
      )}
      {status === 'ready' && items.length === 0 && (
        <EmptyState
          icon={codeXml}
          title={t('No embeds yet')}
          text={t('Allow a page, paste two lines into it, and its users can send from it.')}
        >
          <ButtonLink href="#new" kind="primary" icon={plus}>
            {t('New embed')}
          </ButtonLink>
        </EmptyState>
      )}
      {items.length > 0 && (
        <Table label={t('Embeds')} columns={columnsOf(t)} rows={items as Embed[]} rowKey={({ id }) => id} />
      )}
      <ShowMore shown={items.length} total={totalCount} onMore={() => store.load(items.length)} />
    </section>
  )
}

function Origins({ origins }: { origins: readonly string[] }) {
  const t = useText()
  const [first, ...others] = origins
  if (first === undefined) return <span className="embed-none">{t('None yet')}</span>
  return (
    <span title={origins.join('\n')}>
      <code>{first.replace('https://', '')}</code>
      {others.length > 0 && t(' and {number} more', { number: others.length })}
    </span>
  )
}
