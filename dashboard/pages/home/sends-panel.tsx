import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { send as sendIcon } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import type { HomeStore } from './home-store.ts'
import type { Send } from './recent-sends.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** The last messages and campaigns, with the states of their recipients. */
export function SendsPanel({ store }: { store: HomeStore }) {
  const t = useText()
  const { status, value, error } = useSnapshot(store.state).sends
  return (
    <section className="panel" aria-label={t('Last sends')}>
      <h2>{t('Last sends')}</h2>
      {status === 'loading' && value.length === 0 && <SkeletonRows className="step" widths={['54%', '38%', '46%']} />}
      {status === 'failed' && (
        <ErrorState
          title={t('The last sends could not be loaded')}
          text={error}
          onRetry={() => void store.reloadSends()}
        />
      )}
      {status === 'ready' && value.length === 0 && (
        <EmptyState
          icon={sendIcon}
          title={t('Nothing sent yet')}
          text={t('Sent messages are listed here with the state of each recipient.')}
        >
          <ButtonLink href="/dashboard/send_email">{t('Write a message')}</ButtonLink>
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
  const t = useText()
  const shown = title === '' ? t('No subject') : title
  return (
    <li>
      <div>
        <h3>{kind === 'campaign' ? <a href={`/dashboard/campaigns#${id}`}>{shown}</a> : shown}</h3>
        <p>
          {kind === 'campaign' ? t('Campaign') : from} · <Time iso={at} isDated />
        </p>
      </div>
      <p className="home-counts">
        {note !== null && <span className="home-note">{t(note)}</span>}
        {counts.map(({ state, count }) => (
          <span key={state} className={state === 'failed' || state === 'unknown' ? 'failed' : undefined}>
            {richText(t, `{number} ${state}`, { number: <b>{count.toLocaleString(t.lang)}</b> })}
          </span>
        ))}
      </p>
    </li>
  )
}
