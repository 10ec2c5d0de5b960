import type { MessageOrigin } from '../../../contract/results/tracking-mode.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { campaignTestRecipientsMaxCount } from '../../../contract/mail/campaign.limits.ts'
import type { GivenAttachment } from '../../../contract/files/attachment.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Mailbox } from '../../domain/auth/caller.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MessageOptions, NewMessage } from '../../domain/messages/message.ts'
import { createSizeCheck, surelyFits, tooLargeItem, type SizedMail } from '../../domain/messages/rendered-size.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { TemplateStore } from '../../store/templates/template.ts'
import { composeMail, type ComposedMail } from './compose-mail.ts'
import { checkKind, readAddresses, readSendTime, type Addressed, type SendOptions } from './send-options.ts'

export interface ReadMessagePorts {
  templates: Pick<TemplateStore, 'findByKey'>
  workspaces: Pick<WorkspaceStore, 'find'>
  newId: () => string
  now: () => Date
  /** Where links in mails lead. */
  publicUrl: string
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
  /** In addition to those of the template. */
  attachments?: readonly GivenAttachment[] | undefined
  /** `small`: up to ten recipients wait for the mail server; `always`: the caller asked for it. */
  wait: 'small' | 'always' | 'never'
  /** A mail that its sender tries out. Default false. */
  isTest?: boolean
  /** What sends it. Default `api`. */
  origin?: MessageOrigin
  options?: SendOptions
  /** For the message; where this call was begun before, it was begun under the same. Null: any. */
  id: string | null
}

interface ReadResult {
  message: NewMessage
  /** Whether its footer lacks the postal address. */
  isAddressMissing: boolean
  templateId: string | null
}

export type ReadMessage = ReturnType<typeof createReadMessage>

/**
 * Reads a send call: what is to be accepted, and whether its footer lacks the postal address. Throws `template_not_found`,
 * `validation`, `design_and_body`, `design_invalid`, `too_many_addresses`, `mail_too_large`.
 */
export function createReadMessage(ports: ReadMessagePorts) {
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

  return async (input: SendInput): Promise<ReadResult> => {
    const { mailbox, options = {} } = input
    const addressed = readAddresses(input.recipients, options)
    const { recipients, cc, bcc } = addressed
    checkKind(options.kind, addressed)
    if (input.isTest === true && recipients.length > campaignTestRecipientsMaxCount) throw tooManyForTest()
    const time = readSendTime(options, ports.now())
    const findAddress = async () => (await ports.workspaces.find(input.scope))?.postalAddress ?? null
    const template = await findTemplate(input)
    // The headers to unsubscribe come with each mail to several, but not with copies of one mail.
    const isToMany = recipients.length > 1 && cc.length + bcc.length === 0 && input.isTest !== true
    const mail = await composeMail(input, { template, isToMany, publicUrl: ports.publicUrl, findAddress })
    refuseTooLarge(mail, recipients, ports.publicUrl)
    const message: NewMessage = {
      ...mail.texts,
      id: input.id ?? ports.newId(),
      mailboxId: mailbox.mailboxId,
      fromAddress: mailbox.address,
      sealContext: false,
      recipients,
      obeysSuppressions: true,
      isTest: input.isTest ?? false,
      origin: input.origin ?? 'api',
      ...(mailbox.reload && mailbox.version !== null && { mailboxVersion: mailbox.version }),
      ...(hasOptions(options, mail) && { options: { ...mail.options, ...optionsOf(options, time, addressed) } }),
    }
    return { message, isAddressMissing: mail.isAddressMissing, templateId: template?.id ?? null }
  }
}

/** Most messages have none, and cost no reading of them in the database. */
function hasOptions(options: SendOptions, mail: ComposedMail): boolean {
  return Object.keys(mail.options).length > 0 || Object.values(options).some((value) => value !== undefined)
}

function optionsOf(
  options: SendOptions,
  time: ReturnType<typeof readSendTime>,
  { cc, bcc }: Addressed,
): MessageOptions {
  return { ...time, cc, bcc, ...(options.undoSeconds !== undefined && { undoSeconds: options.undoSeconds }) }
}

/** For recipients who share their message's values: what one gets, all get. Throws `mail_too_large`. */
export function refuseTooLarge(mail: SizedMail, [recipient = '']: readonly string[], publicUrl: string): void {
  if (surelyFits(mail, publicUrl)) return
  const problem = createSizeCheck(mail, publicUrl).find(recipient, null)
  if (problem !== null) throw new AppError('mail_too_large', { items: [tooLargeItem(problem)] })
}

function tooManyForTest(): AppError {
  const msg = `is_test allows ${campaignTestRecipientsMaxCount} recipients at most; send to fewer, or omit is_test`
  return new AppError('validation', { items: [{ loc: ['body', 'is_test'], msg, type: 'too_many' }] })
}
