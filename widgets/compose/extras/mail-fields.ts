import type { Snapshot } from 'valtio/vanilla'
import type { HtmlMail } from '../../../contract/mail/message.ts'
import { readLines } from '../../lib/recipients.ts'
import type { MailFields } from '../compose-state.ts'

/** What is wrong with the addresses of a field, as a sentence; null if nothing is. */
export function addressesProblem(text: string): string | null {
  const wrong = readLines([text], false).find(({ problem }) => problem !== null)
  return wrong ? `${wrong.text} ${wrong.problem}` : null
}

/** The further fields as calls take them. Throws an Error for an entry that is no address. */
export function mailFieldsOf(fields: Snapshot<MailFields>): Partial<HtmlMail> {
  const { fromName = '', replyTo = '', cc = '', bcc = '' } = fields
  return {
    ...(fromName.trim() && { from_name: fromName.trim() }),
    ...(replyTo.trim() && { reply_to: addresses('Reply-To', replyTo)[0] ?? null }),
    ...(cc.trim() && { cc: addresses('Cc', cc) }),
    ...(bcc.trim() && { bcc: addresses('Bcc', bcc) }),
  }
}

function addresses(label: string, text: string): string[] {
  const problem = addressesProblem(text)
  if (problem !== null) throw new Error(`${label}: ${problem}`)
  return readLines([text], false).map((entry) => entry.text)
}
