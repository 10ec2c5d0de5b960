import { useSnapshot } from 'valtio'
import type { EmbedAuditEntry } from '../../../contract/embed/embed.ts'
import { ErrorState } from '../../../widgets/kit/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table.tsx'
import type { EmbedStore } from './embed-store.ts'
import { ShowMore } from './show-more.tsx'
import { Time } from '../../kit/time.tsx'

const acts: Readonly<Record<EmbedAuditEntry['act'], string>> = {
  'message-sent': 'Sent a message',
  'message-retried': 'Resent a message',
  'template-saved': 'Saved a template',
  'template-deleted': 'Deleted a template',
  'config-saved': 'Connected a mailbox',
  'config-changed': 'Changed a mailbox',
  'config-deleted': 'Deleted a mailbox',
}

const columns: Column<EmbedAuditEntry>[] = [
  { label: 'When', cell: ({ at }) => <Time iso={at} /> },
  {
    label: 'What',
    cell: ({ act, subject, recipients }) => (
      <span>
        {subject ?? acts[act]}
        {act.startsWith('message-') && (
          <span className="row-detail">
            {act === 'message-retried' && 'again '}
            to {recipients.toLocaleString()} {recipients === 1 ? 'recipient' : 'recipients'}
          </span>
        )}
      </span>
    ),
  },
  { label: 'For', cell: ({ user_ref: ref }) => ref ?? '—' },
  { label: 'Page', cell: ({ origin }) => <code>{origin.replace('https://', '')}</code> },
]

/** What its sessions did, newest first. */
export function EmbedLog({ store }: { store: EmbedStore }) {
  const { status, error, items, totalCount } = useSnapshot(store.state).audit
  return (
    <section className="panel" aria-labelledby="embed-log">
      <h2 id="embed-log">Activity</h2>
      {status === 'failed' ? (
        <ErrorState title="The log could not be loaded" text={error ?? ''} onRetry={() => void store.loadAudit()} />
      ) : items.length === 0 ? (
        <p className="embed-none">
          {status === 'loading'
            ? 'Loading...'
            : 'No activity yet. What a session sends or changes is listed here for 90 days.'}
        </p>
      ) : (
        <Table label="Activity" columns={columns} rows={items} rowKey={({ id }) => id} />
      )}
      <ShowMore shown={items.length} total={totalCount} onMore={() => store.loadAudit(items.length)} />
    </section>
  )
}
