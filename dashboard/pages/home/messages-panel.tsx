import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { send as sendIcon } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import type { HomeStore } from './home-store.ts'

const order: readonly DeliveryState[] = [
  'sent',
  'sending',
  'queued',
  'deferred',
  'failed',
  'unknown',
  'suppressed',
  'cancelled',
]

/** The last single mails, with the states of their recipients. */
export function MessagesPanel({ store }: { store: HomeStore }) {
  const t = useText()
  const { status, value, error } = useSnapshot(store.state).messages
  return (
    <section className="panel" aria-label={t('Last messages')}>
      <div className="home-head">
        <h2>{t('Last messages')}</h2>
        {value.length > 0 && <a href="/dashboard/messages">{t('All messages')}</a>}
      </div>
      {status === 'loading' && value.length === 0 && <SkeletonRows className="step" widths={['54%', '38%', '46%']} />}
      {status === 'failed' && value.length === 0 && (
        <ErrorState title={t('The last messages could not be loaded')} text={error} onRetry={store.reloadSends} />
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
        {value.map(({ id, subject, from, created_at: at, counts }) => (
          <li key={id}>
            <div>
              <h3>
                <a href={`/dashboard/messages#${id}`}>{subject === '' ? t('No subject') : subject}</a>
              </h3>
              <p>
                {from} · <Time iso={at} isDated />
              </p>
            </div>
            <p className="home-counts">
              {order
                .filter((state) => counts[state] > 0)
                .map((state) => (
                  <span key={state} className={state === 'failed' || state === 'unknown' ? 'failed' : undefined}>
                    {richText(t, `{number} ${state}`, { number: <b>{counts[state].toLocaleString(t.lang)}</b> })}
                  </span>
                ))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
