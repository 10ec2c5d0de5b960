import { AppError } from '../../../contract/core/errors.ts'
import { unfilledShownMaxCount } from '../../../contract/mail/campaign.limits.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { campaignMail, unfilledOf } from '../../domain/campaigns/campaign-mail.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { AttachmentService } from '../attachments/attachment-service.ts'
import { readRecipients } from '../messages/read-recipients.ts'
import { refuseTooLarge } from '../messages/read-message.ts'
import type { CampaignMailboxes } from './campaign-mailboxes.ts'
import type { CampaignService } from './campaign-service.ts'

interface Ports {
  messages: Pick<MessageStore, 'accept' | 'findAccepted'>
  workspaces: Pick<WorkspaceStore, 'find'>
  attachments: Pick<AttachmentService, 'attach' | 'listAttachments'>
  campaignMailboxes: CampaignMailboxes
  findCampaign: CampaignService['findCampaign']
  newId: () => string
  publicUrl: string
}

interface TestInput {
  recipients: readonly string[]
  context: MergeContext
}

export type TestCampaign = ReturnType<typeof createTestCampaign>

/**
 * Sends a campaign's mail to a few addresses apart from its recipients, from its first mailbox that sends; its links
 * do not unsubscribe. Returns the message's id and the variables that were empty. Once for each `resourceId`.
 * Throws `campaign_not_found`, `validation`, `mail_too_large`, `config_not_found`, `mailbox_paused`.
 */
export function createTestCampaign(ports: Ports) {
  const { messages, workspaces, attachments, campaignMailboxes, findCampaign, newId, publicUrl } = ports
  return async (
    scope: Scope,
    id: string,
    { recipients, context }: TestInput,
    resourceId: string | null = null,
  ): Promise<{ messageId: string; acceptedCount: number; unfilledNames: string[] }> => {
    const campaign = await findCampaign(scope, id)
    const addresses = readRecipients(recipients)
    const [mailbox] = await campaignMailboxes.listReady(scope, campaign)
    const { postalAddress = null } = (await workspaces.find(scope)) ?? {}
    const filled = { ...campaign, context: { ...campaign.context, ...context } }
    const { textPart, ...mail } = campaignMail(filled, { postalAddress, publicUrl, isTest: true })
    const { kind, fromName, replyTo, preheader } = campaign
    const message: NewMessage = {
      ...mail,
      options: { textPart, kind, fromName, replyTo, preheader },
      id: resourceId ?? newId(),
      mailboxId: mailbox?.mailboxId ?? '',
      fromAddress: mailbox?.address ?? '',
      isHtml: true,
      sealContext: false,
      isTest: true,
      recipients: addresses,
    }
    refuseTooLarge(message, addresses, publicUrl)
    const files = await attachments.listAttachments(scope, { kind: 'campaign', id })
    if (files.length > 0) await attachments.attach(scope, { kind: 'message', id: message.id }, files)
    const accepted =
      (await messages.accept(scope, message)) ??
      (resourceId === null ? null : await messages.findAccepted(scope, message.id))
    if (accepted === null) throw new AppError('config_not_found')
    campaignMailboxes.wake(scope, [message.mailboxId])
    const unfilledNames = unfilledOf(filled).slice(0, unfilledShownMaxCount)
    return { messageId: message.id, acceptedCount: addresses.length, unfilledNames }
  }
}
