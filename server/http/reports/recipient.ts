import { eventKinds, verdicts } from '../../../contract/results/event.ts'
import { resendEmailCampaign } from '../../../contract/results/campaign-resend.ts'
import * as contract from '../../../contract/results/recipient.ts'
import type { MailEventRow } from '../../domain/reports/report.ts'
import type { createResendCampaign } from '../../usecases/campaigns/resend-campaign.ts'
import type { CampaignRecipientRow, createGetCampaignRecipient } from '../../usecases/reports/campaign-recipient.ts'
import { getAnswer } from '../campaigns/campaign.ts'
import { toCampaignDelivery } from '../campaigns/campaign-recipients.ts'
import type { AddRoute } from '../core/route.ts'

type UseCases = Parameters<typeof getAnswer>[0] & {
  getCampaignRecipient: ReturnType<typeof createGetCampaignRecipient>
  resendCampaign: ReturnType<typeof createResendCampaign>
}

type Entry = contract.CampaignRecipientView['timeline'][number]

/** One recipient of a campaign, and the copy for those who did not open. */
export function addReportRecipientRoutes(add: AddRoute, useCases: UseCases): void {
  add(contract.getCampaignRecipient, async ({ params, scope }) =>
    toView(await useCases.getCampaignRecipient(scope, params.id, params.delivery_id)),
  )

  add(resendEmailCampaign, async ({ params, body, scope, resourceId }) => {
    const { id } = await useCases.resendCampaign(scope, params.id, body.subject, resourceId)
    return getAnswer(useCases, scope, id)
  })
}

function toView(row: CampaignRecipientRow): contract.CampaignRecipientView {
  const { subject, html, text, headers } = row.content
  return {
    ...toCampaignDelivery(row),
    timeline: [...row.events.flatMap(toEntry), ...outcomeOf(row)],
    content: { subject, html, text, headers },
  }
}

const nameOfKind = new Map<number, string>(Object.entries(eventKinds).map(([name, kind]) => [kind, name]))
const nameOfVerdict = new Map<number, keyof typeof verdicts>(
  Object.entries(verdicts).map(([name, verdict]) => [verdict, name as keyof typeof verdicts]),
)

function toEntry({ at, kind, verdict, linkNo, url, label, detail }: MailEventRow): Entry[] {
  const name = nameOfKind.get(kind)
  const event = contract.recipientEvents.find((one) => one === name)
  if (event === undefined) return []
  const link = { link_no: linkNo, url, label }
  const judged = verdict === null ? null : (nameOfVerdict.get(verdict) ?? null)
  return [{ at: at.toISOString(), event, verdict: judged, ...link, detail: detail?.words ?? detail?.reason ?? null }]
}

/** What the mail server did with the mail: the oldest entry. */
function outcomeOf({ state, settledAt, reply }: CampaignRecipientRow): Entry[] {
  if (settledAt === null || (state !== 'sent' && state !== 'failed')) return []
  const none = { verdict: null, link_no: null, url: null, label: null }
  return [{ at: settledAt.toISOString(), event: state, ...none, detail: reply }]
}
