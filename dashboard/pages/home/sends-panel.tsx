import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../../widgets/kit/button.tsx'
import { send as sendIcon } from '../../../widgets/kit/icons.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/states.tsx'
import type { HomeStore } from './home-store.ts'
import { SkeletonRows } from './mailboxes-panel.tsx'
import type { Send } from './recent-sends.ts'

/** The last sends, single ones and campaigns, with where their recipients stand. */
export function SendsPanel({ store }: { store: HomeStore }) {
  const { status, value, error } = useSnapshot(store.state).sends
  return (
    <section className="panel" aria-label="Last sends">
      <h2>Last sends</h2>
      {status === 'loading' && value.length === 0 && <SkeletonRows />}
      {status === 'failed' && (
        <ErrorState
          title="The last sends could not be loaded"
          text={error ?? ''}
          onRetry={() => void store.reloadSends()}
        />
      )}
      {status === 'ready' && value.length === 0 && (
        <EmptyState
          icon={sendIcon}
          title="Nothing sent yet"
          text="Sent messages are listed here with the state of each recipient."
        >
          <ButtonLink href="/dashboard/send_email">Write a message</ButtonLink>
        </EmptyState>
      )}
      <ul className="home-rows">
        {value.map((send) => (
          <SendRow key={send.id} {...send} />
        ))}
      </ul>
    </section>
  )
}

function SendRow({
  id,
  kind,
  title,
  from,
  at,
  counts,
  note,
}: Omit<Send, 'counts'> & { counts: readonly Send['counts'][0][] }) {
  const when = new Date(at)
  const shown = title === '' ? 'No subject' : title
  return (
    <li>
      <div>
        <h3>{kind === 'campaign' ? <a href={`/dashboard/campaigns#${id}`}>{shown}</a> : shown}</h3>
        <p>
          {kind === 'campaign' ? 'Campaign' : from} ·{' '}
          <time dateTime={at} title={when.toString()}>
            {when.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
          </time>
        </p>
      </div>
      <p className="home-counts">
        {note !== null && <span className="home-note">{note}</span>}
        {counts.map(({ state, count }) => (
          <span key={state} className={state === 'failed' || state === 'unknown' ? 'failed' : undefined}>
            <b>{count.toLocaleString()}</b> {state}
          </span>
        ))}
      </p>
    </li>
  )
}
