import { retryMessage } from '../../../client/mail/message.ts'
import type { ProgressStore } from './progress-store.ts'

/** The calls of campaigns: fetched with the first act on one. */
const campaigns = () => import('../../../client/mail/campaign.ts')

/** What can still be done about what was launched. */
export function createDeliveryActs({ act, session, launched: { kind, id } }: ProgressStore) {
  return {
    /** Sends once more to those, and only those, whose mail was refused; returns whom it left out, or null. */
    retry: (onLeftOut: (note: string | null) => void) =>
      act(async () => {
        onLeftOut(null)
        const send = kind === 'message' ? retryMessage : (await campaigns()).retryEmailCampaign
        const { suppressed, message } = await send(session, id)
        if (suppressed > 0) onLeftOut(message)
      }),
    pause: () => act(async () => (await campaigns()).pauseEmailCampaign(session, id)),
    resume: () => act(async () => (await campaigns()).resumeEmailCampaign(session, id)),
    cancel: () => act(async () => (await campaigns()).cancelEmailCampaign(session, id)),
  }
}
