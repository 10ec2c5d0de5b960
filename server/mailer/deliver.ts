import { errorFacts } from '../domain/error-facts.ts'
import type { ClaimedDelivery } from '../domain/delivery.ts'
import { classify, type Outcome } from '../domain/smtp-outcome.ts'
import type { JournalSegment } from './journal.ts'
import type { MailTemplate } from './mime.ts'
import type { SenderLog } from './sender-ports.ts'
import { SmtpError } from './smtp-error.ts'
import type { SmtpSession } from './smtp-session.ts'
import type { TemplateCache } from './template-cache.ts'

/** A claimed row, with the claim that it is settled under. */
export interface ClaimedRow {
  delivery: ClaimedDelivery
  token: string
  segment: JournalSegment
}

interface Ports {
  templates: TemplateCache
  clock: () => Date
  log: SenderLog
}

/** What came of an attempt; `error` for what the mail server or the connection to it did. */
export interface Attempt {
  outcome: Outcome
  error: SmtpError | null
}

/** A mail ready to go. */
export interface BuiltMail {
  from: string
  bytes: Buffer
}

/**
 * Builds a delivery's mail; an outcome where that can never work.
 * Rejects with what the database said.
 */
export async function buildMail(row: ClaimedRow, { templates, clock, log }: Ports): Promise<BuiltMail | Outcome> {
  const { delivery } = row
  let template: MailTemplate | null = null
  try {
    template = await templates.get(delivery.messageId)
    if (!template) return { kind: 'fail', reply: 'The message is gone', isAddressDead: false }
    return { from: template.fromAddress, bytes: await template.build(delivery, clock()) }
  } catch (error) {
    if (!template && !isSyntaxError(error)) throw error
    log.error(
      { err: errorFacts(error), message: delivery.messageId, delivery: delivery.id },
      'A mail could not be built',
    )
    return { kind: 'fail', reply: 'The mail could not be built from its message', isAddressDead: false }
  }
}

/**
 * Hands one mail to the server. The journal has the intent before the first byte leaves and the answer when it comes.
 * Rejects if the journal cannot be written: nothing was sent then.
 */
export async function deliver(
  row: ClaimedRow,
  mail: BuiltMail,
  session: SmtpSession,
  log: SenderLog,
): Promise<Attempt> {
  const { delivery, token, segment } = row
  const key = { id: delivery.id, token }
  let isIntended = false as boolean
  try {
    const reply = await session.send({ from: mail.from, to: delivery.recipient }, mail.bytes, () => {
      segment.intend(key)
      isIntended = true
    })
    note(log, () => segment.reply(key, reply))
    const verdict = { phase: 'message', reply, libraryCode: null, systemCode: null, isHandedOver: true } as const
    return { outcome: classify(verdict), error: null }
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    const { reply, isHandedOver } = error.verdict
    if (reply !== null) note(log, () => segment.reply(key, reply))
    else if (isIntended && !isHandedOver) note(log, () => segment.withdraw(key))
    return { outcome: classify(error.verdict), error }
  }
}

/** The answer is known here whether or not the journal takes it; without it a crash would show the row as unknown. */
function note(log: SenderLog, write: () => void): void {
  try {
    write()
  } catch (error) {
    log.error({ err: errorFacts(error) }, 'The intent journal did not take an answer')
  }
}

function isSyntaxError(error: unknown): boolean {
  return error instanceof Error && error.name === 'MergeSyntaxError'
}
