import { AppError, type ValidationItem } from '../../contract/errors.ts'
import { queueMaxCount, verdictTimeoutMs, waitForVerdictMaxCount } from '../../contract/limits.ts'
import type { MergeContext } from '../../contract/merge-variables.ts'
import type { Mailbox } from '../domain/caller.ts'
import { findMailTextProblems } from '../domain/mail-text.ts'
import type { NewMessage } from '../domain/message.ts'
import { distinctRecipients } from '../domain/recipients.ts'
import type { Foretell } from './foretell.ts'

interface Ports {
  messages: {
    /** False where the mailbox is gone, or the message is there already. */
    accept: (message: NewMessage) => Promise<boolean>
    exists: (where: { id: string; workspaceId: string }) => Promise<boolean>
  }
  backlog: {
    /** How many mails of send calls wait in a workspace, about. */
    count: (workspaceId: string) => Promise<number>
    /** So many more do. */
    add: (workspaceId: string, count: number) => void
  }
  templates: { findByKey: (workspaceId: string, key: string) => Promise<{ body: string } | null> }
  verdicts: {
    /**
     * Waits until one delivery of a message has left or been refused, or the mailbox was paused, at most `timeoutMs`.
     * Gives the last words of the mail server where by then nothing was sent and nothing can be any more.
     */
    awaitFirst: (messageId: string, timeoutMs: number) => Promise<{ failure: string | null }>
  }
  suppressions: {
    /** Of these addresses, those that the workspace must not write to. */
    findAmong: (workspaceId: string, addresses: readonly string[]) => Promise<string[]>
  }
  foretell: Pick<Foretell, 'singleSend'>
  newId: () => string
  wakeSender: (configId: string) => void
}

/** One send call, its mailbox known and allowed. */
export interface SendInput {
  mailbox: Mailbox
  recipients: readonly string[]
  subject: string
  /** May be undefined where a template is named, whose body is what is sent then. */
  content: string | undefined
  isHtml: boolean
  context: MergeContext
  templateKey: string | undefined
  /** `small`: up to ten recipients wait for the mail server; `always`: the caller asked for it. */
  wait: 'small' | 'always' | 'never'
  /** For the message; where this call was begun before, it was begun under the same. Null: any. */
  id: string | null
}

/** A queue that is full empties as fast as mail servers take it. */
const queueFullRetryMs = 60_000

/** What was accepted: committed before this is returned. */
export interface SendResult {
  id: string
  acceptedCount: number
  suppressedCount: number
  /** When the last of its mails will leave by the mailbox's quota; null where none will. */
  finishesAt: Date | null
}

/**
 * Accepts a message: one delivery for each distinct recipient.
 * Throws `template_not_found`, `validation`, `mailbox_paused`, `config_not_found`, `queue_full`, and `send_failed` after a wait.
 */
export function createSendMail(ports: Ports) {
  /** Those of the mailbox's own workspace only. */
  const findTemplate = async ({ templateKey, mailbox }: SendInput) => {
    if (templateKey === undefined) return null
    const template = await ports.templates.findByKey(mailbox.workspaceId, templateKey)
    if (template === null) throw new AppError('template_not_found')
    return template
  }

  return async (input: SendInput): Promise<SendResult> => {
    const { mailbox } = input
    const template = await findTemplate(input)
    const content = readContent({ ...input, ...(template && { content: template.body }) })
    const addresses = readRecipients(input.recipients)
    if (mailbox.pause !== null && mailbox.pause.until === null) {
      throw new AppError('mailbox_paused', {
        detail: `The mailbox ${mailbox.address} is paused. ${mailbox.pause.reason}`,
      })
    }
    const suppressed = await ports.suppressions.findAmong(mailbox.workspaceId, addresses)
    const recipients =
      suppressed.length === 0 ? addresses : addresses.filter((address) => !suppressed.includes(address))
    if ((await ports.backlog.count(mailbox.workspaceId)) + recipients.length > queueMaxCount) {
      throw new AppError('queue_full', { retryAfterMs: queueFullRetryMs })
    }
    const message: NewMessage = {
      id: input.id ?? ports.newId(),
      workspaceId: mailbox.workspaceId,
      configId: mailbox.configId,
      fromAddress: mailbox.address,
      subject: input.subject,
      content,
      isHtml: template !== null || input.isHtml,
      context: input.context,
      sealContext: false,
      recipients,
      suppressedRecipients: suppressed,
    }
    if (await ports.messages.accept(message)) ports.backlog.add(mailbox.workspaceId, recipients.length)
    else if (input.id === null || !(await ports.messages.exists(message))) throw new AppError('config_not_found')
    ports.wakeSender(mailbox.configId)
    const isAwaited = input.wait === 'always' || (input.wait === 'small' && recipients.length <= waitForVerdictMaxCount)
    if (isAwaited && recipients.length > 0) {
      const { failure } = await ports.verdicts.awaitFirst(message.id, verdictTimeoutMs)
      if (failure !== null) throw new AppError('send_failed', { detail: failure })
    }
    const finishesAt = await ports.foretell.singleSend(mailbox.configId, recipients.length)
    return { id: message.id, acceptedCount: recipients.length, suppressedCount: suppressed.length, finishesAt }
  }
}

function readContent({ subject, content = '', context }: SendInput): string {
  const items: ValidationItem[] = findMailTextProblems({ subject, content, context }).map(
    ({ path, type, sentence }) => ({ loc: ['body', ...path], msg: sentence, type }),
  )
  if (content.trim() === '') {
    const msg = 'content is missing; send the message, or name a template with template_key'
    items.push({ loc: ['body', 'content'], msg, type: 'missing' })
  }
  if (items.length > 0) throw new AppError('validation', { items })
  return content
}

/** The distinct addresses of a list, by its name in the body. Throws `validation`. */
export function readRecipients(list: readonly string[], field = 'recipient_list'): string[] {
  const recipients = distinctRecipients(list)
  if (recipients.ok) return recipients.addresses
  throw new AppError('validation', {
    items: recipients.refused.map(({ index, problem, sentence }) => ({
      loc: ['body', field, index],
      msg: sentence,
      type: `address_${problem}`,
    })),
  })
}
