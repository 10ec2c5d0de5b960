import type * as resendApi from '../../contract/results/campaign-resend.ts'
import type { Resend } from '../../contract/results/campaign-resend.ts'
import type * as recipientApi from '../../contract/results/recipient.ts'
import type { CampaignRecipientView } from '../../contract/results/recipient.ts'
import type { Campaign } from '../../contract/mail/campaign.ts'
import type * as api from '../../contract/results/report.ts'
import type { CampaignReport } from '../../contract/results/report.ts'
import * as routes from '../../contract/results/report.routes.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** What became of a campaign. */
export function getCampaignReport(session: Session, id: string, options?: CallOptions): Promise<CampaignReport> {
  return call<typeof api.getCampaignReport>(session, { route: routes.getCampaignReport, params: { id } }, options)
}

/** The report now and after each change; a stream that ends is opened again by the caller. */
export function watchCampaignReport(
  session: Session,
  id: string,
  options?: CallOptions,
): AsyncGenerator<CampaignReport> {
  return readEvents<CampaignReport>(
    callStream<typeof api.watchCampaignReport>(session, { route: routes.watchCampaignReport, params: { id } }, options),
  )
}

/** One recipient of a campaign with its timeline and its mail as it was sent. */
export function getCampaignRecipient(
  session: Session,
  { id, deliveryId }: { id: string; deliveryId: string },
  options?: CallOptions,
): Promise<CampaignRecipientView> {
  return call<typeof recipientApi.getCampaignRecipient>(
    session,
    { route: routes.getCampaignRecipient, params: { id, delivery_id: deliveryId } },
    options,
  )
}

/** Makes a draft for the recipients who did not open a campaign. */
export function resendEmailCampaign(
  session: Session,
  id: string,
  body: Resend,
  options?: CallOptions,
): Promise<Campaign> {
  return call<typeof resendApi.resendEmailCampaign>(
    session,
    { route: routes.resendEmailCampaign, params: { id }, body },
    options,
  )
}
