import type { SmtpPhase, SmtpVerdict } from '../../domain/smtp/smtp-outcome.ts'

/** A conversation that did not end in a good reply. Its message holds no address and no secret. */
export class SmtpError extends Error {
  readonly verdict: SmtpVerdict

  constructor(verdict: SmtpVerdict, options: { cause?: unknown } = {}) {
    super(`SMTP ${verdict.phase}: ${verdict.systemCode ?? verdict.libraryCode ?? 'refused'}`, options)
    this.name = 'SmtpError'
    this.verdict = verdict
  }
}

/** An SmtpError for something of ours that stands in the way, by its code in the table of mailbox-diagnosis. */
export function createSmtpError(phase: SmtpPhase, systemCode: string): SmtpError {
  return new SmtpError({ phase, reply: null, libraryCode: null, systemCode, isHandedOver: false })
}

/** Reads what nodemailer, the system or an abort signal threw. */
export function toSmtpError(cause: unknown, phase: SmtpPhase, isHandedOver: boolean): SmtpError {
  if (cause instanceof SmtpError) return cause
  const found = (typeof cause === 'object' && cause !== null ? cause : {}) as Record<string, unknown>
  const text = (key: string) => (typeof found[key] === 'string' && found[key] !== '' ? found[key] : null)
  const code = found['name'] === 'TimeoutError' ? 'ETIMEDOUT' : text('code')
  const isLibrary = code !== null && libraryCodes.has(code)
  return new SmtpError(
    {
      phase,
      reply: text('response'),
      libraryCode: isLibrary ? code : null,
      systemCode: text('originalCode') ?? (isLibrary ? null : code),
      isHandedOver,
    },
    { cause },
  )
}

/** Codes that nodemailer puts on its errors; a code of the system below stands in `originalCode` then. */
const libraryCodes = new Set([
  'ECONNECTION',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'ETLS',
  'EPROTOCOL',
  'EENVELOPE',
  'EMESSAGE',
  'ESTREAM',
  'EAUTH',
])
