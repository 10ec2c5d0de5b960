import type { AddedRecipients, CampaignDelivery } from '../../contract/mail/campaign-recipient.ts'
import type * as recipientApi from '../../contract/mail/campaign-recipient.ts'
import type { Campaign, CampaignChanges, NewCampaign } from '../../contract/mail/campaign.ts'
import type * as api from '../../contract/mail/campaign.ts'
import type { Launch, Progress } from '../../contract/mail/campaign-lifecycle.ts'
import type * as lifecycleApi from '../../contract/mail/campaign-lifecycle.ts'
import type { BodyOf, QueryOf } from '../../contract/core/operation.ts'
import { callStream, readEvents } from '../core/event-stream.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import * as routes from '../../contract/mail/campaign.routes.ts'

/** The campaigns of the workspace, newest first. */
export function listEmailCampaigns(
  session: Session,
  query: QueryOf<typeof api.listEmailCampaigns> = {},
  options?: CallOptions,
): Promise<Page<Campaign>> {
  return callList<typeof api.listEmailCampaigns>(session, { route: routes.listEmailCampaigns, query }, options)
}

/** Writes a campaign; nothing of it leaves before it is launched. */
export function createEmailCampaign(session: Session, campaign: NewCampaign, options?: CallOptions): Promise<Campaign> {
  return call<typeof api.createEmailCampaign>(session, { route: routes.createEmailCampaign, body: campaign }, options)
}

export function getEmailCampaign(session: Session, id: string, options?: CallOptions): Promise<Campaign> {
  return call<typeof api.getEmailCampaign>(session, { route: routes.getEmailCampaign, params: { id } }, options)
}

/** Changes what is given; once it has started, its name only. */
export function updateEmailCampaign(
  session: Session,
  id: string,
  changes: CampaignChanges,
  options?: CallOptions,
): Promise<Campaign> {
  return call<typeof api.updateEmailCampaign>(
    session,
    { route: routes.updateEmailCampaign, params: { id }, body: changes },
    options,
  )
}

/** Deletes a campaign; what has not left stays unsent. */
export function deleteEmailCampaign(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteEmailCampaign>(session, { route: routes.deleteEmailCampaign, params: { id } }, options)
}

/** Streams recipients in: JSON lines, or CSV where `type` says so. What is there already is left alone. */
export function addCampaignRecipients(
  session: Session,
  id: string,
  lines: string,
  type: 'application/x-ndjson' | 'text/csv' = 'application/x-ndjson',
  options: CallOptions = {},
): Promise<AddedRecipients> {
  return call<typeof recipientApi.addCampaignRecipients>(
    session,
    { route: routes.addCampaignRecipients, params: { id } },
    { ...options, stream: { type, body: lines } },
  )
}

/** Delivery states of its recipients, by pages; `state` and `search` (part of an address) filter the list. */
export function listCampaignRecipients(
  session: Session,
  id: string,
  query: QueryOf<typeof recipientApi.listCampaignRecipients> = {},
  options?: CallOptions,
): Promise<Page<CampaignDelivery>> {
  return callList<typeof recipientApi.listCampaignRecipients>(
    session,
    { route: routes.listCampaignRecipients, params: { id }, query },
    options,
  )
}

/** Recipients with state and reply as CSV; all of them, or those that match the filter. */
export async function exportCampaignRecipients(
  session: Session,
  id: string,
  query: QueryOf<typeof recipientApi.exportCampaignRecipients> = {},
  options?: CallOptions,
): Promise<string> {
  let csv = ''
  const request = { route: routes.exportCampaignRecipients, params: { id }, query } as const
  for await (const chunk of callStream<typeof recipientApi.exportCampaignRecipients>(session, request, options))
    csv += chunk
  return csv
}

/** A list of the contacts among the recipients that match the filter. */
export function saveRecipientsAsList(
  session: Session,
  id: string,
  body: BodyOf<typeof recipientApi.saveRecipientsAsList>,
  options?: CallOptions,
) {
  return call<typeof recipientApi.saveRecipientsAsList>(
    session,
    { route: routes.saveRecipientsAsList, params: { id }, body },
    options,
  )
}

/** Starts it, now or at its time. */
export function launchEmailCampaign(
  session: Session,
  id: string,
  how: Launch = {},
  options?: CallOptions,
): Promise<Campaign> {
  return call<typeof lifecycleApi.launchEmailCampaign>(
    session,
    { route: routes.launchEmailCampaign, params: { id }, body: how },
    options,
  )
}

/** Takes back a launch before anything has left. */
export function undoEmailCampaign(session: Session, id: string, options?: CallOptions): Promise<Campaign> {
  return call<typeof lifecycleApi.undoEmailCampaign>(
    session,
    { route: routes.undoEmailCampaign, params: { id } },
    options,
  )
}

/** Makes a draft with the same message, audience and recipients. */
export function duplicateEmailCampaign(session: Session, id: string, options?: CallOptions): Promise<Campaign> {
  return call<typeof lifecycleApi.duplicateEmailCampaign>(
    session,
    { route: routes.duplicateEmailCampaign, params: { id } },
    options,
  )
}

/** Estimates a launch; writes nothing. */
export function estimateEmailCampaign(
  session: Session,
  plan: BodyOf<typeof lifecycleApi.estimateEmailCampaign>,
  options?: CallOptions,
) {
  return call<typeof lifecycleApi.estimateEmailCampaign>(
    session,
    { route: routes.estimateEmailCampaign, body: plan },
    options,
  )
}

export function pauseEmailCampaign(session: Session, id: string, options?: CallOptions): Promise<Campaign> {
  return call<typeof lifecycleApi.pauseEmailCampaign>(
    session,
    { route: routes.pauseEmailCampaign, params: { id } },
    options,
  )
}

export function resumeEmailCampaign(session: Session, id: string, options?: CallOptions): Promise<Campaign> {
  return call<typeof lifecycleApi.resumeEmailCampaign>(
    session,
    { route: routes.resumeEmailCampaign, params: { id } },
    options,
  )
}

export function cancelEmailCampaign(session: Session, id: string, options?: CallOptions): Promise<Campaign> {
  return call<typeof lifecycleApi.cancelEmailCampaign>(
    session,
    { route: routes.cancelEmailCampaign, params: { id } },
    options,
  )
}

/** Sends once more to those, and only those, whose mail was refused. */
export function retryEmailCampaign(session: Session, id: string, options?: CallOptions) {
  return call<typeof lifecycleApi.retryEmailCampaign>(
    session,
    { route: routes.retryEmailCampaign, params: { id } },
    options,
  )
}

/** Sends its mail to a few addresses of one's own. */
export function testEmailCampaign(
  session: Session,
  id: string,
  mail: BodyOf<typeof lifecycleApi.testEmailCampaign>,
  options?: CallOptions,
) {
  return call<typeof lifecycleApi.testEmailCampaign>(
    session,
    { route: routes.testEmailCampaign, params: { id }, body: mail },
    options,
  )
}

/** How far it is, now and with each change, until it has ended; a stream that ends earlier is opened again by the caller. */
export function watchEmailCampaign(session: Session, id: string, options?: CallOptions): AsyncGenerator<Progress> {
  return readEvents<Progress>(
    callStream<typeof lifecycleApi.watchEmailCampaign>(
      session,
      { route: routes.watchEmailCampaign, params: { id } },
      options,
    ),
  )
}
