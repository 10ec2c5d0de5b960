import { AppError, errors } from '../../../contract/core/errors.ts'
import { serverMessages } from '../../../contract/core/server-messages.ts'
import type { Mailbox } from '../../domain/auth/caller.ts'
import { canUseMailbox, type EmbedCaller } from '../../domain/auth/embed.ts'
import { isRowId } from '../../domain/core/id.ts'
import { uniqueRecipients } from '../../domain/messages/unique-recipients.ts'
import type { RetriedCounts } from '../messages/retry-message.ts'
import type { SendInput } from '../messages/read-message.ts'
import type { SendResult } from '../messages/send-mail.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { EmbedUsage } from '../../store/embeds/embed-usage.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  embedUsage: Pick<EmbedUsage, 'take' | 'giveBack' | 'findOwnMessage' | 'retry'>
  sendMail: (input: SendInput) => Promise<SendResult>
  wakeSender: (mailbox: MailboxKey) => void
  newId: () => string
  now: () => Date
}

const dayMs = 86_400_000

/** Sending from embed sessions, within their mailboxes and quotas. */
export function createSendFromEmbed(ports: Ports) {
  const findMailbox = async (scope: Scope, { grant, aliasOf }: EmbedCaller, alias: string): Promise<Mailbox> => {
    const mailboxes = await ports.mailboxes.findMailboxes(scope, grant.mailboxIds)
    const found = mailboxes.find(({ mailboxId }) => aliasOf(mailboxId) === alias)
    if (found === undefined) throw new AppError('config_not_found')
    return found
  }

  const refuse = (quota: 'session' | 'day'): AppError => {
    if (quota === 'session') {
      return new AppError('embed_quota_used', { detail: serverMessages.session_quota_used })
    }
    const retryAfterMs = dayMs - (ports.now().getTime() % dayMs)
    return new AppError('embed_quota_used', { detail: serverMessages.embed_day_quota_used, retryAfterMs })
  }

  const findOwnMessage = async (scope: Scope, { grant }: EmbedCaller, id: string): Promise<{ mailboxId: string }> => {
    const found = isRowId(id) ? await ports.embedUsage.findOwnMessage(scope, grant, id) : null
    if (found === null) throw new AppError('message_not_found')
    return found
  }

  return {
    /** The mailbox of an alias. Throws `config_not_found`. */
    findEmbedMailbox: findMailbox,

    /** Sends within the quotas. Throws what `sendMail` does, and `embed_quota_used`. */
    async sendFromEmbed({ grant }: EmbedCaller, input: SendInput): Promise<SendResult> {
      const messageId = input.id ?? ports.newId()
      const recipients = uniqueRecipients(input.recipients)
      // What is refused anyway is not counted.
      if (!recipients.ok) return ports.sendMail(input)
      const send = { grant, messageId, recipientCount: recipients.addresses.length }
      const usedUp = await ports.embedUsage.take(input.scope, send)
      if (usedUp !== null) throw refuse(usedUp)
      try {
        return await ports.sendMail({ ...input, id: messageId })
      } catch (error) {
        if (error instanceof AppError && errors[error.code].status < 500)
          await ports.embedUsage.giveBack(input.scope, send)
        throw error
      }
    },

    /** Throws `message_not_found` for one that the session has not sent. */
    async requireEmbedMessage(scope: Scope, caller: EmbedCaller, id: string): Promise<void> {
      await findOwnMessage(scope, caller, id)
    },

    /**
     * Sends once more to those, and only those, whose mail was refused, of a message that the session has sent. Gives how
     * many. Throws `message_not_found`, `config_not_found` where its mailbox was taken from the session, `embed_quota_used`.
     */
    async retryFromEmbed(scope: Scope, caller: EmbedCaller, id: string): Promise<RetriedCounts> {
      const { mailboxId } = await findOwnMessage(scope, caller, id)
      if (!canUseMailbox(caller.grant, mailboxId)) throw new AppError('config_not_found')
      const retried = await ports.embedUsage.retry(scope, caller.grant, id)
      if ('usedUp' in retried) throw refuse(retried.usedUp)
      if (retried.resentCount > 0) ports.wakeSender({ workspaceId: scope.workspaceId, mailboxId })
      return retried
    },
  }
}
