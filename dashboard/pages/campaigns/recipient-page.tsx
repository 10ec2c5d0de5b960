import { useCallback } from 'react'
import { listCampaignBounces } from '../../../client/inbox/bounce.ts'
import type { CallOptions } from '../../../client/core/http.ts'
import { listCampaignRecipients } from '../../../client/mail/campaign.ts'
import type { CampaignDelivery } from '../../../contract/mail/campaign-recipient.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { send } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { BackLink } from '../../kit/back-link.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import { useLoaded } from '../../kit/use-loaded.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { BounceList } from '../bounces/bounce-list.tsx'
import { deliveryLabels } from './campaign-labels.ts'
import { RecipientMail } from './recipient/recipient-mail.tsx'
import { css } from './recipient-page.css'

const sheet = createSheet(css)
const foundMaxCount = 20

/** One recipient of a campaign: what became of the mail, and what came back. */
export function RecipientPage({ campaignId, address }: { campaignId: string; address: string }) {
  useSheet(sheet)
  const t = useText()
  const { session } = useApp()
  const load = useCallback(
    async (options: CallOptions) => {
      const { items } = await listCampaignRecipients(
        session,
        campaignId,
        { search: address, limit: foundMaxCount },
        options,
      )
      return items.find(({ recipient }) => recipient === address) ?? null
    },
    [session, campaignId, address],
  )
  const { loaded, reload } = useLoaded(load)
  return (
    <>
      <BackLink href={`#${campaignId}`}>{t('The campaign')}</BackLink>
      <ScreenHeader title={address} />
      {loaded.status === 'ready' && loaded.value !== null ? (
        <Recipient campaignId={campaignId} delivery={loaded.value} />
      ) : (
        <section className="panel" aria-label={t('Recipient')}>
          {loaded.status === 'loading' && <SkeletonRows widths={['46%', '60%']} />}
          {loaded.status === 'failed' && (
            <ErrorState level={2} title={t('The recipient could not be loaded')} text={loaded.error} onRetry={reload} />
          )}
          {loaded.status === 'ready' && (
            <EmptyState
              level={2}
              icon={send}
              title={t('No such recipient')}
              text={t('The campaign has no recipient with this address.')}
            />
          )}
        </section>
      )}
    </>
  )
}

function Recipient({ campaignId, delivery }: { campaignId: string; delivery: CampaignDelivery }) {
  const t = useText()
  const { session } = useApp()
  const { id, state, mailbox, reply } = delivery
  const loadBounces = useCallback(
    (options: CallOptions) => listCampaignBounces(session, { id: campaignId, deliveryId: id }, options),
    [session, campaignId, id],
  )
  const times: [label: string, at: string | null][] = [
    [state === 'failed' ? t('Refused') : t('Sent'), delivery.settled_at],
    [t('Opened'), delivery.opened_at],
    [t('Clicked'), delivery.clicked_at],
    [t('Replied'), delivery.replied_at],
  ]
  return (
    <>
      <section className="panel recipient-facts" aria-label={t('The mail')}>
        <dl>
          <dt>{t('State')}</dt>
          <dd>
            <span className={`state-pill ${deliveryLabels[state].tone}`}>{t(deliveryLabels[state].word)}</span>
          </dd>
          <dt>{t('Mailbox')}</dt>
          <dd translate="no">{mailbox}</dd>
          {reply !== null && (
            <>
              <dt>{t('Mail server’s reply')}</dt>
              <dd translate="no">{reply}</dd>
            </>
          )}
          {times.map(([label, at]) => (
            <Fact key={label} label={label} at={at} />
          ))}
        </dl>
      </section>
      <BounceList load={loadBounces} empty={t('No bounce was reported.')} />
      <RecipientMail campaignId={campaignId} deliveryId={id} />
    </>
  )
}

function Fact({ label, at }: { label: string; at: string | null }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{at === null ? '–' : <Time iso={at} isDated />}</dd>
    </>
  )
}
