import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { atSign } from '../../../widgets/kit/icon/icons.ts'
import { Meter } from '../../../widgets/kit/feedback/meter.tsx'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import type { HomeStore } from './home-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Rows that the home screen shows; the rest is on the configurations' own screen. */
const shownCount = 8

/** The first mailboxes; paused ones are never left out, and come last. */
function shownOf<M extends { status: string }>(items: readonly M[]): M[] {
  const paused = items.filter(({ status }) => status === 'paused').slice(0, shownCount)
  const active = items.filter(({ status }) => status !== 'paused').slice(0, shownCount - paused.length)
  return [...active, ...paused]
}

/** Each mailbox with what it has used of its quota within the last 24 hours. */
export function MailboxesPanel({ store }: { store: HomeStore }) {
  const t = useText()
  const { configs, usage } = useSnapshot(store.state)
  const { items, status, error } = configs
  return (
    <section className="panel" aria-label={t('Mailboxes')}>
      <h2>{richText(t, 'Mailboxes {note}', { note: <small>{t('last 24 hours')}</small> })}</h2>
      {items.length === 0 && status === 'failed' && (
        <ErrorState
          title={t('The mailboxes could not be loaded')}
          text={error}
          onRetry={() => void store.reloadConfigs()}
        />
      )}
      {items.length === 0 && status === 'ready' && (
        <EmptyState icon={atSign} title={t('No mailbox yet')} text={t('Mail is sent from an address that you own.')}>
          <ButtonLink href="/dashboard/email_config#add">{t('Connect a mailbox')}</ButtonLink>
        </EmptyState>
      )}
      {items.length === 0 && status !== 'ready' && status !== 'failed' && (
        <SkeletonRows className="step" widths={['54%', '38%', '46%']} />
      )}
      <ul className="home-rows">
        {shownOf(items).map(({ id, email_address: address, status: state, pause_reason: reason }) => {
          const used = usage.value[id]
          return (
            <li key={id} className={state === 'paused' ? 'home-trouble' : undefined}>
              <div>
                <h3>
                  {address} {state === 'paused' && <b className="warned">{t('Paused')}</b>}
                </h3>
                {state === 'paused' && (
                  <p>
                    {reason} <a href="/dashboard/email_config">{t('See what to do')}</a>
                  </p>
                )}
              </div>
              {used && (
                <Meter label={t('Quota of {address}', { address })} used={used.day_count} limit={used.day_limit} />
              )}
            </li>
          )
        })}
      </ul>
      {items.length > shownCount && (
        <p className="home-more">
          <a href="/dashboard/email_config">{t('All {number} mailboxes', { number: items.length })}</a>
        </p>
      )}
      {usage.status === 'failed' && items.length > 0 && (
        <p className="home-more" role="alert">
          {richText(t, 'The quota use could not be loaded: {error} {button}', {
            error: usage.error,
            button: (
              <button type="button" className="link" onClick={() => void store.reloadUsage()}>
                {t('Try Again')}
              </button>
            ),
          })}
        </p>
      )}
    </section>
  )
}
