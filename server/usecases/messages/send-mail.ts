import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { serverMessage } from '../../../contract/core/server-messages.ts'
import { campaignTestRecipientsMaxCount } from '../../../contract/mail/campaign.limits.ts'
import {
  queueMaxCount,
  firstResultTimeoutMs,
  waitForFirstResultMaxCount,
} from '../../../contract/mail/message.limits.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import { addressValue, addressVariable } from '../../domain/campaigns/campaign-mail.ts'
import type { Mailbox } from '../../domain/auth/caller.ts'
import { findMailTextProblems } from '../../domain/messages/mail-text.ts'
import type { Accepted, NewMessage } from '../../domain/messages/message.ts'
import { uniqueRecipients } from '../../domain/messages/unique-recipients.ts'
import { createSizeCheck, surelyFits, tooLargeItem, type SizedMail } from '../../domain/messages/rendered-size.ts'
import type { CompletionEstimator } from '../quota/estimate-completion.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { TemplateStore } from '../../store/templates/template.ts'
import type { FirstResultWatch } from '../../mailer/queue/first-result.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  messages: Pick<MessageStore, 'accept' | 'findAccepted'>
  backlog: {
    /** How many mails of send calls wait in a workspace, about. */
    count: (scope: Scope) => Promise<number>
    /** So many more do. */
    add: (scope: Scope, count: number) => void
  }
  templates: Pick<TemplateStore, 'findByKey'>
  firstResults: Pick<FirstResultWatch, 'waitForFirstResult'>
  workspaces: Pick<WorkspaceStore, 'find'>
  estimator: Pick<CompletionEstimator, 'singleSend'>
  newId: () => string
  /** Where links in mails lead. */
  publicUrl: string
  wakeSender: (mailbox: MailboxKey) => void
}

/** One send call, its mailbox known and allowed. */
export interface SendInput {
  scope: Scope
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
  /** A mail that its sender tries out. Default false. */
  isTest?: boolean
  /** For the message; where this call was begun before, it was begun under the same. Null: any. */
  id: string | null
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
}

/**
 * Accepts a message: one delivery for each distinct recipient.
 * Throws `template_not_found`, `validation`, `mail_too_large`, `mailbox_paused`, `config_not_found`, `queue_full`, and `send_failed` after a wait.
 */
export function createSendMail(ports: Ports) {
  /** Those of the mailbox's own workspace only. */
  const findTemplate = async ({ scope, templateKey }: SendInput) => {
    if (templateKey === undefined) return null
    const template = await ports.templates.findByKey(scope, templateKey)
    if (template === null) {
      throw new AppError('template_not_found', {
        detail: 'No template has this template_key. Check its spelling, or send content instead.',
      })
    }
    return template
  }

  /** The context with the workspace's postal address, where the mail shows it and the call brings none. */
  const withAddress = async ({ scope, subject, context }: SendInput, content: string): Promise<MergeContext> => {
    const isShown = content.includes(addressVariable) || subject.includes(addressVariable)
    if (!isShown || Object.hasOwn(context, addressVariable)) return context
    const workspace = await ports.workspaces.find(scope)
    return { ...context, [addressVariable]: addressValue(workspace?.postalAddress ?? null) }
  }

  const accept = async (input: SendInput): Promise<Accepted & { message: NewMessage }> => {
    const { mailbox } = input
    const template = await findTemplate(input)
    const content = readContent({ ...input, ...(template && { content: template.body }) })
    const recipients = readRecipients(input.recipients)
    if (input.isTest === true && recipients.length > campaignTestRecipientsMaxCount) throw tooManyForTest()
    const isHtml = template !== null || input.isHtml
    const context = await withAddress(input, content)
    refuseTooLarge({ subject: input.subject, content, isHtml, context }, recipients, ports.publicUrl)
    if (mailbox.pause !== null && mailbox.pause.until === null) {
      const { address, pause } = mailbox
      throw new AppError('mailbox_paused', {
        detail: serverMessage('mailbox_paused_because', { address, reason: pause.reason }),
      })
    }
    if ((await ports.backlog.count(input.scope)) + recipients.length > queueMaxCount) {
      throw new AppError('queue_full', { retryAfterMs: queueFullRetryMs })
    }
    const message: NewMessage = {
      id: input.id ?? ports.newId(),
      mailboxId: mailbox.mailboxId,
      fromAddress: mailbox.address,
      subject: input.subject,
      content,
      isHtml,
      context,
      sealContext: false,
      recipients,
      obeysSuppressions: true,
      isTest: input.isTest ?? false,
      ...(mailbox.reload && mailbox.version !== null && { mailboxVersion: mailbox.version }),
    }
    const accepted = await ports.messages.accept(input.scope, message)
    if (accepted) {
      ports.backlog.add(input.scope, recipients.length - accepted.suppressedCount)
      return { message, ...accepted }
    }
    const before = input.id === null ? null : await ports.messages.findAccepted(input.scope, message.id)
    if (before === null) throw new AppError('config_not_found')
    return { message, ...before }
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
    const { message, suppressedCount } = await acceptNow(input)
    const acceptedCount = message.recipients.length - suppressedCount
    ports.wakeSender(input.mailbox)
    const isAwaited = input.wait === 'always' || (input.wait === 'small' && acceptedCount <= waitForFirstResultMaxCount)
    if (isAwaited && acceptedCount > 0) {
      const { failure } = await ports.firstResults.waitForFirstResult(input.scope, message.id, firstResultTimeoutMs)
      if (failure !== null) throw new AppError('send_failed', { detail: failure })
    }
    const finishesAt = await ports.estimator.singleSend(input.mailbox, acceptedCount)
    return { id: message.id, acceptedCount, suppressedCount, finishesAt }
  }
}

/** For recipients who share their message's values: what one gets, all get. Throws `mail_too_large`. */
export function refuseTooLarge(mail: SizedMail, [recipient = '']: readonly string[], publicUrl: string): void {
  if (surelyFits(mail, publicUrl)) return
  const problem = createSizeCheck(mail, publicUrl).find(recipient, null)
  if (problem !== null) throw new AppError('mail_too_large', { items: [tooLargeItem(problem)] })
}

function readContent({ subject, content = '', context }: SendInput): string {
  const items: ValidationItem[] = findMailTextProblems({ subject, content, context }).map(
    ({ path, type, sentence }) => ({ loc: ['body', ...path], msg: sentence, type }),
  )
  if (content.trim() === '') {
    const msg = 'content is missing; send it, or choose a template with template_key'
    items.push({ loc: ['body', 'content'], msg, type: 'missing' })
  }
  if (items.length > 0) throw new AppError('validation', { items })
  return content
}

function tooManyForTest(): AppError {
  const msg = `is_test allows ${campaignTestRecipientsMaxCount} recipients at most; send to fewer, or omit is_test`
  return new AppError('validation', { items: [{ loc: ['body', 'is_test'], msg, type: 'too_many' }] })
}

/** The distinct addresses of a list, by its name in the body. Throws `validation`. */
export function readRecipients(list: readonly string[], field = 'recipient_list'): string[] {
  const recipients = uniqueRecipients(list)
  if (recipients.ok) return recipients.addresses
  throw new AppError('validation', {
    items: recipients.refused.map(({ index, problem, sentence }) => ({
      loc: ['body', field, index],
      msg: sentence,
      type: `address_${problem}`,
    })),
  })
}
