import { AppError } from '../../../contract/core/errors.ts'
import { mergeContexts, type MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { SendInput } from './read-message.ts'
import type { SendResult } from './send-mail.ts'
import type { SendOptions } from './send-options.ts'

interface Ports {
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  sendMail: (input: SendInput) => Promise<SendResult>
}

/** A mail that is tried out: to whom, and whose values it shows. */
export interface TestInput {
  mailboxId: string
  to: readonly string[]
  asRecipient: { email?: string | undefined; context?: MergeContext | undefined }
  subject: string
  content: string | undefined
  context: MergeContext
  options: SendOptions
}

export type SendTest = ReturnType<typeof createSendTest>

/** Sends a mail to a few addresses as one of its recipients gets it. Throws what a send call does. */
export function createSendTest({ mailboxes, sendMail }: Ports) {
  return async (scope: Scope, { mailboxId, to, asRecipient, ...mail }: TestInput, id: string | null) => {
    const [mailbox] = isRowId(mailboxId) ? await mailboxes.findMailboxes(scope, [mailboxId]) : []
    if (mailbox === undefined) throw new AppError('config_not_found')
    const { email, context = {} } = asRecipient
    return sendMail({
      ...mail,
      scope,
      mailbox,
      id,
      recipients: to,
      context: mergeContexts(mail.context, { ...(email !== undefined && { email }), ...context }),
      isHtml: true,
      templateKey: undefined,
      wait: 'small',
      isTest: true,
    })
  }
}
