import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { FoundRecipient } from '../../domain/campaigns/campaign.ts'
import type { SentMail } from '../../domain/messages/message.ts'
import type { RecipientList } from '../../store/campaigns/recipient-list.ts'
import type { MailEventRow } from '../../domain/reports/report.ts'
import type { createRecipientTimeline } from '../../store/reports/recipient-timeline.ts'
import type { CampaignService } from '../campaigns/campaign-service.ts'
import type { createGetMessageContent } from '../messages/message-content.ts'

/** Entries of a timeline. */
const eventsMaxCount = 200

interface Ports {
  findCampaign: CampaignService['findCampaign']
  recipientList: Pick<RecipientList, 'find'>
  readTimeline: ReturnType<typeof createRecipientTimeline>
  getMessageContent: ReturnType<typeof createGetMessageContent>
}

/** One recipient of a campaign with its events and its mail. */
export interface CampaignRecipientRow extends FoundRecipient {
  events: MailEventRow[]
  content: SentMail
}

/** Reads one recipient. Throws `campaign_not_found`, `delivery_not_found`, and `content_gone` where its mail was deleted. */
export function createGetCampaignRecipient({ findCampaign, recipientList, readTimeline, getMessageContent }: Ports) {
  return async (scope: Scope, campaignId: string, deliveryId: string): Promise<CampaignRecipientRow> => {
    await findCampaign(scope, campaignId)
    const id = /^[1-9]\d{0,14}$/.test(deliveryId) ? Number(deliveryId) : null
    const found = id === null ? null : await recipientList.find(scope, campaignId, id)
    if (found === null) throw new AppError('delivery_not_found')
    if (found === 'gone') throw new AppError('content_gone')
    const content = await getMessageContent(scope, found.ofMessageId, deliveryId)
    return { ...found, content, events: await readTimeline(scope, found, eventsMaxCount) }
  }
}
