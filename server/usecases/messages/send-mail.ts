import { AppError } from '../../../contract/core/errors.ts'
import { serverMessage } from '../../../contract/core/server-messages.ts'
import {
  queueMaxCount,
  firstResultTimeoutMs,
  waitForFirstResultMaxCount,
} from '../../../contract/mail/message.limits.ts'
import type { AttachmentService } from '../attachments/attachment-service.ts'
import type { Accepted, NewMessage } from '../../domain/messages/message.ts'
import type { CompletionEstimator } from '../quota/estimate-completion.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { FirstResultWatch } from '../../mailer/queue/first-result.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'
import { createReadMessage, type ReadMessagePorts, type SendInput } from './read-message.ts'

interface Ports extends ReadMessagePorts {
  messages: Pick<MessageStore, 'accept' | 'findAccepted'>
  backlog: {
    /** How many mails of send calls wait in a workspace, about. */
    count: (scope: Scope) => Promise<number>
    /** So many more do. */
    add: (scope: Scope, count: number) => void
  }
  attachments: Pick<AttachmentService, 'readAttachments' | 'listAttachments' | 'attach'>
  firstResults: Pick<FirstResultWatch, 'waitForFirstResult'>
  estimator: Pick<CompletionEstimator, 'singleSend'>
  wakeSender: (mailbox: MailboxKey) => void
  /** Makes the place of deliveries that leave at an instant. */
  ensureMonth: (at: Date) => Promise<void>
}

/** A full queue drains as fast as mail servers accept mail. */
const queueFullRetryMs = 60_000

/** An accepted message, committed before this is returned. */
export interface SendResult {
  id: string
  acceptedCount: number
  suppressedCount: number
  /** When the last of its mails will leave by the mailbox's quota; null where none will. */
  finishesAt: Date | null
  undoUntil: Date | null
  scheduledAt: Date | null
  /** Codes of what it lacks although it was accepted. */
  warnings: readonly 'postal_address_missing'[]
}

/**
 * Accepts a message: one delivery for each distinct recipient.
 * Throws `attachment_refused`, `storage_full`, `template_not_found`, `validation`, `design_and_body`, `design_invalid`, `too_many_addresses`,
 * `mail_too_large`, `mailbox_paused`, `config_not_found`, `queue_full`, and `send_failed` after a wait.
 */
export function createSendMail(ports: Ports) {
  const read = createReadMessage(ports)

  /** The files of the call and of its template. */
  const readFiles = async ({ scope, attachments = [] }: SendInput, templateId: string | null) => {
    const owner = templateId === null ? null : ({ kind: 'template', id: templateId } as const)
    const inherited = owner === null ? [] : await ports.attachments.listAttachments(scope, owner)
    return ports.attachments.readAttachments(scope, attachments, inherited)
  }

  const accept = async (input: SendInput): Promise<Accepted & { message: NewMessage; isAddressMissing: boolean }> => {
    const { mailbox } = input
    const { message, isAddressMissing, templateId } = await read(input)
    const { recipients } = message
    if (mailbox.pause?.until === null) {
      const { address, pause } = mailbox
      throw new AppError('mailbox_paused', {
        detail: serverMessage('mailbox_paused_because', { address, reason: pause.reason }),
      })
    }
    if ((await ports.backlog.count(input.scope)) + recipients.length > queueMaxCount) {
      throw new AppError('queue_full', { retryAfterMs: queueFullRetryMs })
    }
    const { scheduledAt = null } = message.options ?? {}
    if (scheduledAt !== null) await ports.ensureMonth(scheduledAt)
    const files = await readFiles(input, templateId)
    // Before the message: a mailbox worker may build it as soon as it is committed.
    if (files.length > 0) await ports.attachments.attach(input.scope, { kind: 'message', id: message.id }, files)
    const accepted = await ports.messages.accept(input.scope, message)
    if (accepted) {
      ports.backlog.add(input.scope, recipients.length - accepted.suppressedCount)
      return { message, isAddressMissing, ...accepted }
    }
    const before = input.id === null ? null : await ports.messages.findAccepted(input.scope, message.id)
    if (before === null) throw new AppError('config_not_found')
    return { message, isAddressMissing, ...before }
  }

  /** A result from a cached mailbox is valid only if its version is current; otherwise the call is repeated with a fresh one. */
  const acceptNow = async (input: SendInput) => {
    const { reload, version } = input.mailbox
    if (!reload) return accept(input)
    try {
      return await accept(input)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const mailbox = await reload()
      if (mailbox.version === version) throw error
      return accept({ ...input, mailbox })
    }
  }

  return async (input: SendInput): Promise<SendResult> => {
    const { message, suppressedCount, undoUntil, isAddressMissing } = await acceptNow(input)
    const acceptedCount = message.recipients.length - suppressedCount
    const { scheduledAt = null } = message.options ?? {}
    const isHeld = undoUntil !== null || scheduledAt !== null
    ports.wakeSender(input.mailbox)
    const isAwaited = input.wait === 'always' || (input.wait === 'small' && acceptedCount <= waitForFirstResultMaxCount)
    if (isAwaited && !isHeld && acceptedCount > 0) {
      const { failure } = await ports.firstResults.waitForFirstResult(input.scope, message.id, firstResultTimeoutMs)
      if (failure !== null) throw new AppError('send_failed', { detail: failure })
    }
    const finishesAt = scheduledAt ?? (await ports.estimator.singleSend(input.mailbox, acceptedCount))
    const warnings = isAddressMissing ? (['postal_address_missing'] as const) : []
    return { id: message.id, acceptedCount, suppressedCount, finishesAt, undoUntil, scheduledAt, warnings }
  }
}
