import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button, ButtonLink } from '../../../widgets/kit/button.tsx'
import { codeXml, plus } from '../../../widgets/kit/icons.ts'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table.tsx'
import type { Embed } from '../../../contract/embed/embed.ts'
import { useApp } from '../../app.ts'
import { createEmbedListStore } from './embed-list-store.ts'
import { widgetLabels } from './scope-labels.ts'

const columns: Column<Embed>[] = [
  {
    label: 'Name',
    cell: ({ id, name, status }) => (
      <span>
        <a className="row-title" href={`#${id}`}>
          {name}
        </a>
        {status === 'paused' && (
          <>
            {' '}
            <span className="pill">Paused</span>
          </>
        )}
      </span>
    ),
  },
  { label: 'Pages', cell: ({ allowed_origins: origins }) => <Origins origins={origins} /> },
  { label: 'Widgets', cell: ({ widgets }) => widgets.map((widget) => widgetLabels[widget].name).join(', ') },
  {
    label: 'Today',
    cell: ({ recipients_today: count, limits }) => (
      <span className="embed-today">
        {count.toLocaleString()} of {limits.recipients_per_day.toLocaleString()}
      </span>
    ),
  },
]

/** The embeds of the workspace, newest first. */
export function EmbedList() {
  const { session } = useApp()
  const [store] = useState(() => createEmbedListStore(session))
  useEffect(() => store.start(), [store])
  const { status, error, items, totalCount, more } = useSnapshot(store.state)
  return (
    <section className="panel" aria-labelledby="embed-list">
      <div className="hidden-text">
        <h2 id="embed-list">Your embeds</h2>
      </div>
      {status === 'loading' && (
        <Skeleton>
          {['30%', '42%', '36%'].map((width) => (
            <div className="skeleton-row" key={width}>
              <Bone width={width} />
              <Bone width="24%" />
            </div>
          ))}
        </Skeleton>
      )}
      {status === 'failed' && (
        <ErrorState title="The embeds could not be loaded" text={error ?? ''} onRetry={() => void store.load()} />
      )}
      {status === 'ready' && items.length === 0 && (
        <EmptyState
          icon={codeXml}
          title="No embeds yet"
          text="Allow a page, paste two lines into it, and its users can send from it."
        >
          <ButtonLink href="#new" kind="primary" icon={plus}>
            New embed
          </ButtonLink>
        </EmptyState>
      )}
      {items.length > 0 && <Table label="Embeds" columns={columns} rows={items as Embed[]} rowKey={({ id }) => id} />}
      {items.length < totalCount && (
        <div className="embed-more">
          <Button busy={more === 'loading'} onClick={() => void store.loadMore()}>
            Show more
          </Button>
          <span>
            {items.length.toLocaleString()} of {totalCount.toLocaleString()}
          </span>
        </div>
      )}
    </section>
  )
}

function Origins({ origins }: { origins: readonly string[] }) {
  const [first, ...others] = origins
  if (first === undefined) return <span className="embed-none">None yet</span>
  return (
    <span title={origins.join('\n')}>
      <code>{first.replace('https://', '')}</code>
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  )
}
