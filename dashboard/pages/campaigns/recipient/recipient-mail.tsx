import { useCallback } from 'react'
import type { CallOptions } from '../../../../client/core/http.ts'
import { getCampaignRecipient } from '../../../../client/results/report.ts'
import { ErrorState } from '../../../../widgets/kit/feedback/states.tsx'
import { createSheet, useSheet } from '../../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { useApp } from '../../../app.ts'
import { SkeletonRows } from '../../../kit/skeleton-rows.tsx'
import { useLoaded } from '../../../kit/use-loaded.ts'
import { MailAsSent } from './mail-as-sent.tsx'
import { Timeline } from './timeline.tsx'
import { css } from './recipient.css'

const sheet = createSheet(css)

/** What became of the mail to one recipient of a campaign, and the mail as it was sent. */
export function RecipientMail({ campaignId, deliveryId }: { campaignId: string; deliveryId: string }) {
  const t = useText()
  useSheet(sheet)
  const { session } = useApp()
  const load = useCallback(
    (options: CallOptions) => getCampaignRecipient(session, { id: campaignId, deliveryId }, options),
    [session, campaignId, deliveryId],
  )
  const { loaded, reload } = useLoaded(load)
  if (loaded.status === 'ready') {
    return (
      <div className="recipient-grid">
        <Timeline recipient={loaded.value} />
        <MailAsSent content={loaded.value.content} />
      </div>
    )
  }
  return (
    <section className="panel" aria-label={t('The mail as sent')}>
      {loaded.status === 'failed' ? (
        <ErrorState level={2} title={t('The mail cannot be shown')} text={loaded.error} onRetry={reload} />
      ) : (
        <SkeletonRows widths={['46%', '60%', '52%']} second="70%" />
      )}
    </section>
  )
}
