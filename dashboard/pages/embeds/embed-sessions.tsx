import { useSnapshot } from 'valtio'
import type { EmbedSession } from '../../../contract/embed/embed.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import type { EmbedStore } from './embed-store.ts'
import { ShowMore } from './show-more.tsx'
import { Time } from '../../kit/time.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Who has the embed open now, and the means to end it. */
export function EmbedSessions({ store }: { store: EmbedStore }) {
  const t = useText()
  const { sessions, isEnding } = useSnapshot(store.state)
  const { status, error, items, totalCount } = sessions
  const columns: Column<EmbedSession>[] = [
    { label: t('For'), cell: ({ user_ref: ref, opened_by: by }) => ref ?? t(openers[by]) },
    { label: t('Page'), cell: ({ origin }) => <code>{origin.replace('https://', '')}</code> },
    {
      label: t('Sent'),
      cell: ({ messages, recipients }) =>
        messages === 0 ? t('Nothing') : t('{messages} to {recipients}', { messages, recipients }),
    },
    { label: t('Ends'), cell: ({ expires_at: at }) => <Time iso={at} /> },
    {
      label: t('End'),
      align: 'end',
      cell: ({ id, user_ref: ref }) => (
        <Button
          kind="quiet"
          size="small"
          disabled={isEnding}
          aria-label={t('End the session of {ref}', { ref: ref ?? t('this page') })}
          onClick={() => void store.endSession(id)}
        >
          {t('End')}
        </Button>
      ),
    },
  ]
  return (
    <section className="panel" aria-labelledby="embed-sessions">
      <div className="panel-head">
        <h2 id="embed-sessions">{t('Open sessions')}</h2>
        {items.length > 0 && (
          <Button size="small" disabled={isEnding} onClick={() => void store.endAllSessions()}>
            {t('End all')}
          </Button>
        )}
      </div>
      {status === 'failed' ? (
        <ErrorState
          title={t('The sessions could not be loaded')}
          text={error}
          onRetry={() => void store.loadSessions()}
        />
      ) : items.length === 0 ? (
        <p className="embed-none">{status === 'loading' ? t('Loading...') : t('No open sessions.')}</p>
      ) : (
        <Table label={t('Open sessions')} columns={columns} rows={items as EmbedSession[]} rowKey={({ id }) => id} />
      )}
      <ShowMore shown={items.length} total={totalCount} onMore={() => store.loadSessions(items.length)} />
    </section>
  )
}

const openers = { key: 'A server', token: 'A person', consent: 'A person' } as const
