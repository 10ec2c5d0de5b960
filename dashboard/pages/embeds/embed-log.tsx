import { useSnapshot } from 'valtio'
import type { EmbedAuditEntry } from '../../../contract/embed/embed.ts'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import type { EmbedStore } from './embed-store.ts'
import { ShowMore } from './show-more.tsx'
import { Time } from '../../kit/time.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'

const acts: Readonly<Record<EmbedAuditEntry['act'], string>> = {
  'message-sent': 'Sent a message',
  'message-retried': 'Resent a message',
  'template-saved': 'Saved a template',
  'template-deleted': 'Deleted a template',
  'config-saved': 'Connected a mailbox',
  'config-changed': 'Changed a mailbox',
  'config-deleted': 'Deleted a mailbox',
}

const columnsOf = (t: Translate<string>): Column<EmbedAuditEntry>[] => [
  { label: t('When'), cell: ({ at }) => <Time iso={at} /> },
  {
    label: t('What'),
    cell: ({ act, subject, recipients }) => (
      <span>
        {subject ?? t(acts[act])}
        {act.startsWith('message-') && (
          <span className="row-detail">
            {act === 'message-retried'
              ? t('again to {count} recipient|again to {count} recipients', { count: recipients })
              : t('to {count} recipient|to {count} recipients', { count: recipients })}
          </span>
        )}
      </span>
    ),
  },
  { label: t('For'), cell: ({ user_ref: ref }) => ref ?? '—' },
  { label: t('Page'), cell: ({ origin }) => <code>{origin.replace('https://', '')}</code> },
]

/** What its sessions did, newest first. */
export function EmbedLog({ store }: { store: EmbedStore }) {
  const t = useText()
  const { status, error, items, totalCount } = useSnapshot(store.state).audit
  return (
    <section className="panel" aria-labelledby="embed-log">
      <h2 id="embed-log">{t('Activity')}</h2>
      {status === 'failed' ? (
        <ErrorState title={t('The log could not be loaded')} text={error} onRetry={() => void store.loadAudit()} />
      ) : items.length === 0 ? (
        <p className="embed-none">
          {status === 'loading'
            ? t('Loading...')
            : t('No activity yet. What a session sends or changes is listed here for 90 days.')}
        </p>
      ) : (
        <Table label={t('Activity')} columns={columnsOf(t)} rows={items} rowKey={({ id }) => id} />
      )}
      <ShowMore shown={items.length} total={totalCount} onMore={() => store.loadAudit(items.length)} />
    </section>
  )
}
