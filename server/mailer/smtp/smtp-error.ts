import type { SmtpPhase, SmtpFailure } from '../../domain/smtp/smtp-outcome.ts'

/** An SMTP command that failed. Its message contains no address and no secret. */
export class SmtpError extends Error {
  readonly failure: SmtpFailure

  constructor(failure: SmtpFailure, options: { cause?: unknown } = {}) {
    super(`SMTP ${failure.phase}: ${failure.systemCode ?? failure.libraryCode ?? 'refused'}`, options)
    this.name = 'SmtpError'
    this.failure = failure
  }
}

/** Creates an SmtpError for a local cause, by its code in the table of mailbox-diagnosis. */
export function createSmtpError(phase: SmtpPhase, systemCode: string): SmtpError {
  return new SmtpError({ phase, reply: null, libraryCode: null, systemCode, isHandedOver: false })
}

/** Converts an error of nodemailer, the system or an abort signal. */
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

/** Error codes of nodemailer; it keeps the system's code in `originalCode`. */
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
