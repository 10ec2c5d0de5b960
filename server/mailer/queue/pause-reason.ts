import { serverMessage } from '../../../contract/core/server-messages.ts'
import { diagnose } from '../../domain/smtp/mailbox-diagnosis.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import type { SenderMailbox } from './sender-ports.ts'
import type { SmtpError } from '../smtp/smtp-error.ts'
import type { Pause } from './delivery-batch.ts'

/** The reason that the owner of a paused mailbox sees. `mailbox`: the one used for the attempt. */
export function pauseReason({ cause, reply }: Pause, error: SmtpError, mailbox: SenderMailbox | null): string {
  if (cause === 'limit' || !mailbox)
    return serverMessage('mail_server_reply', { sentence: mailboxSentences.dailyLimit, reply })
  const { provider, emailAddress, login } = mailbox
  const secrets = login ? [login.pass] : []
  return diagnose({ provider, emailAddress, smtpFailure: error.failure, secrets }).sentence
}
