import { AppError } from '../../../contract/core/errors.ts'
import { serverMessage } from '../../../contract/core/server-messages.ts'
import { unfilledShownMaxCount } from '../../../contract/mail/campaign.limits.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Mailbox } from '../../domain/auth/caller.ts'
import { type CampaignRow } from '../../domain/campaigns/campaign.ts'
import {
  stateSentence,
  statesBefore,
  transitionOf,
  type CampaignAction,
} from '../../domain/campaigns/campaign-state.ts'
import { campaignMail, unfilledOf } from '../../domain/campaigns/campaign-mail.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { readSchedule, type ScheduleInput } from './campaign-schedule.ts'
import type { RefuseLargeCampaign } from './campaign-size.ts'
import { retryOnConflict, type CampaignService } from './campaign-service.ts'
import type { RetriedCounts } from '../messages/retry-message.ts'
import { readRecipients, refuseTooLarge } from '../messages/send-mail.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignStore } from '../../store/campaigns/campaign.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'
import type { CampaignScheduler } from '../../store/campaigns/campaign-scheduler.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  campaigns: Pick<CampaignStore, 'move' | 'launch' | 'remove'>
  recipients: Pick<CampaignRecipients, 'retryFailed'>
  scheduler: Pick<CampaignScheduler, 'cancelPending'>
  messages: Pick<MessageStore, 'accept' | 'findAccepted'>
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  workspaces: Pick<WorkspaceStore, 'find'>
  findCampaign: CampaignService['findCampaign']
  refuseLargeCampaign: RefuseLargeCampaign
  newId: () => string
  now: () => Date
  publicUrl: string
  wakeSender: (mailbox: MailboxKey) => void
}

export type CampaignLifecycle = ReturnType<typeof createCampaignLifecycle>

/** Transitions of a campaign. Each throws `campaign_not_found`, and `campaign_state` where the state refuses it. */
export function createCampaignLifecycle(ports: Ports) {
  const { campaigns, findCampaign } = ports
  const wake = ({ workspaceId }: Scope, mailboxIds: readonly string[]) =>
    mailboxIds.forEach((mailboxId) => ports.wakeSender({ workspaceId, mailboxId }))

  const refuse = async (scope: Scope, id: string, action: CampaignAction): Promise<never> => {
    const { status } = await findCampaign(scope, id)
    throw new AppError('campaign_state', { detail: stateSentence(action, status) })
  }

  const move = async (
    scope: Scope,
    { id }: CampaignRow,
    event: 'pause' | 'resume' | 'reschedule' | 'cancel',
  ): Promise<void> => {
    const isMoved = await campaigns.move(scope, id, transitionOf(event))
    if (!isMoved) await refuse(scope, id, event === 'reschedule' ? 'resume' : event)
  }

  /** Its mailboxes that are connected and can send. Throws where none is connected or all are paused. */
  const readyMailboxes = async (scope: Scope, { mailboxIds }: CampaignRow): Promise<Mailbox[]> => {
    const mailboxes = await ports.mailboxes.findMailboxes(scope, mailboxIds)
    const [first] = mailboxes
    if (first === undefined) throw new AppError('config_not_found')
    const isStuck = ({ pause }: Mailbox) => pause !== null && pause.until === null
    if (mailboxes.every(isStuck)) {
      const detail = serverMessage('mailbox_paused_because', {
        address: first.address,
        reason: first.pause?.reason ?? '',
      })
      throw new AppError('mailbox_paused', { detail })
    }
    return mailboxes.filter((mailbox) => !isStuck(mailbox))
  }

  const isLater = (at: Date | null): at is Date => at !== null && at > ports.now()

  /** The part of a launch that needs no lock: checks the requirements and builds the mail. */
  const prepareLaunch = async (scope: Scope, campaign: CampaignRow, input: ScheduleInput) => {
    const schedule = readSchedule(input, campaign)
    if (Object.values(campaign.counts).every((count) => count === 0)) throw new AppError('campaign_empty')
    const { postalAddress = null } = (await ports.workspaces.find(scope)) ?? {}
    if (postalAddress === null || postalAddress.trim() === '') throw new AppError('postal_address_missing')
    await readyMailboxes(scope, campaign)
    const mail = campaignMail(campaign, { postalAddress, publicUrl: ports.publicUrl })
    await ports.refuseLargeCampaign(scope, campaign.id, mail)
    const { to } = transitionOf(isLater(schedule.scheduledAt) ? 'schedule' : 'launch')
    return { to, schedule, mail }
  }

  return {
    /**
     * Starts it: now, or at the time given here or before. What is sent is fixed from here on. `isRetry`: this call may have
     * started it before, and finds it under way then.
     * Throws `campaign_empty`, `mail_too_large`, `postal_address_missing`, `config_not_found`, `mailbox_paused`, `validation` too.
     */
    async launchCampaign(scope: Scope, id: string, input: ScheduleInput, isRetry = false): Promise<void> {
      const from = statesBefore('launch')
      const campaign = await retryOnConflict(async () => {
        const read = await findCampaign(scope, id)
        if (!from.includes(read.status) && isRetry) return null
        if (!from.includes(read.status)) await refuse(scope, id, 'launch')
        const outcome = await campaigns.launch(scope, id, { from, read }, await prepareLaunch(scope, read, input))
        return outcome === 'launched' ? read : (outcome ?? refuse(scope, id, 'launch'))
      })
      if (campaign !== null) wake(scope, campaign.mailboxIds)
    },

    /** Sending stops within a second. */
    async pauseCampaign(scope: Scope, id: string): Promise<void> {
      await move(scope, await findCampaign(scope, id), 'pause')
    },

    /** `isRetry`: an earlier attempt of this call may have resumed it. */
    async resumeCampaign(scope: Scope, id: string, isRetry = false): Promise<void> {
      const campaign = await findCampaign(scope, id)
      if (isRetry && !statesBefore('resume').includes(campaign.status)) return
      const isWaiting = campaign.startedAt === null && isLater(campaign.scheduledAt)
      await move(scope, campaign, isWaiting ? 'reschedule' : 'resume')
      wake(scope, campaign.mailboxIds)
    },

    /** Deliveries that are being sent keep their result. */
    async cancelCampaign(scope: Scope, id: string): Promise<void> {
      await move(scope, await findCampaign(scope, id), 'cancel')
      await ports.scheduler.cancelPending(scope, id)
    },

    async deleteCampaign(scope: Scope, id: string): Promise<void> {
      const isGone = isRowId(id) && (await campaigns.remove(scope, id))
      if (!isGone) throw new AppError('campaign_not_found')
      await ports.scheduler.cancelPending(scope, id)
    },

    /** Requeues failed deliveries only. */
    async retryCampaign(scope: Scope, id: string): Promise<RetriedCounts> {
      await findCampaign(scope, id)
      const retried = await ports.recipients.retryFailed(scope, { id, from: statesBefore('retry') })
      const { mailboxIds, requeuedCount, suppressedCount } = retried ?? (await refuse(scope, id, 'retry'))
      wake(scope, mailboxIds)
      return { resentCount: requeuedCount, suppressedCount }
    },

    /**
     * Sends its mail to a few addresses apart from its recipients, from its first mailbox that sends; its links unsubscribe
     * nobody. Returns the message's id and the variables that were empty. Once for each `resourceId`.
     * Throws `validation`, `mail_too_large`, `config_not_found`, `mailbox_paused`.
     */
    async testCampaign(
      scope: Scope,
      id: string,
      { recipients, context }: { recipients: readonly string[]; context: MergeContext },
      resourceId: string | null = null,
    ): Promise<{ messageId: string; acceptedCount: number; unfilledNames: string[] }> {
      const campaign = await findCampaign(scope, id)
      const addresses = readRecipients(recipients)
      const [mailbox] = await readyMailboxes(scope, campaign)
      const { postalAddress = null } = (await ports.workspaces.find(scope)) ?? {}
      const filled = { ...campaign, context: { ...campaign.context, ...context } }
      const message: NewMessage = {
        ...campaignMail(filled, { postalAddress, publicUrl: ports.publicUrl, isTest: true }),
        id: resourceId ?? ports.newId(),
        mailboxId: mailbox?.mailboxId ?? '',
        fromAddress: mailbox?.address ?? '',
        isHtml: true,
        sealContext: false,
        isTest: true,
        recipients: addresses,
      }
      refuseTooLarge(message, addresses, ports.publicUrl)
      const accepted =
        (await ports.messages.accept(scope, message)) ??
        (resourceId === null ? null : await ports.messages.findAccepted(scope, message.id))
      if (accepted === null) throw new AppError('config_not_found')
      wake(scope, [message.mailboxId])
      const unfilledNames = unfilledOf(filled).slice(0, unfilledShownMaxCount)
      return { messageId: message.id, acceptedCount: addresses.length, unfilledNames }
    },
  }
}
