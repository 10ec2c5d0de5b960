import { useSnapshot } from 'valtio'
import type { EmbedSession } from '../../../contract/embed/embed.ts'
import { Button } from '../../../widgets/kit/button.tsx'
import { ErrorState } from '../../../widgets/kit/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table.tsx'
import type { EmbedStore } from './embed-store.ts'
import { ShowMore } from './show-more.tsx'
import { Time } from '../../kit/time.tsx'

/** Who has the embed open now, and the means to end it. */
export function EmbedSessions({ store }: { store: EmbedStore }) {
  const { sessions, busy } = useSnapshot(store.state)
  const { status, error, items, totalCount } = sessions
  const columns: Column<EmbedSession>[] = [
    { label: 'For', cell: ({ user_ref: ref, opened_by: by }) => ref ?? openers[by] },
    { label: 'Page', cell: ({ origin }) => <code>{origin.replace('https://', '')}</code> },
    { label: 'Sent', cell: ({ messages, recipients }) => sentText(messages, recipients) },
    { label: 'Ends', cell: ({ expires_at: at }) => <Time iso={at} /> },
    {
      label: 'End',
      align: 'end',
      cell: ({ id, user_ref: ref }) => (
        <Button
          kind="quiet"
          size="small"
          disabled={busy !== 'no'}
          aria-label={`End the session of ${ref ?? 'this page'}`}
          onClick={() => void store.endSession(id)}
        >
          End
        </Button>
      ),
    },
  ]
  return (
    <section className="panel" aria-labelledby="embed-sessions">
      <div className="panel-head">
        <h2 id="embed-sessions">Open sessions</h2>
        {items.length > 0 && (
          <Button size="small" disabled={busy !== 'no'} onClick={() => void store.endAllSessions()}>
            End all
          </Button>
        )}
      </div>
      {status === 'failed' ? (
        <ErrorState
          title="The sessions could not be loaded"
          text={error ?? ''}
          onRetry={() => void store.loadSessions()}
        />
      ) : items.length === 0 ? (
        <p className="embed-none">{status === 'loading' ? 'Loading...' : 'No open sessions.'}</p>
      ) : (
        <Table label="Open sessions" columns={columns} rows={items as EmbedSession[]} rowKey={({ id }) => id} />
      )}
      <ShowMore shown={items.length} total={totalCount} onMore={() => store.loadSessions(items.length)} />
    </section>
  )
}

const openers = { key: 'A server', token: 'A person', consent: 'A person' } as const

function sentText(messages: number, recipients: number): string {
  if (messages === 0) return 'Nothing'
  return `${messages.toLocaleString()} to ${recipients.toLocaleString()}`
}
