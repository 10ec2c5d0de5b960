import { formatReply, oneLine, parseReply, type SmtpReply } from './smtp-reply.ts'

/** How far a conversation had come: connecting and securing, signing in, or a message of its own. */
export type SmtpPhase = 'connect' | 'login' | 'message'

/** What is known when a conversation has come to a reply, or broke off without one. */
export interface SmtpFailure {
  phase: SmtpPhase
  /** As the server gave it; null if the connection broke first. */
  reply: string | null
  /** Code of the SMTP library, such as `EENVELOPE` or `ETIMEDOUT`; null after a good reply. */
  libraryCode: string | null
  /** Code of the system or of TLS beneath it, such as `ECONNREFUSED`. */
  systemCode: string | null
  /** Whether the whole message went to the socket: if so, silence does not mean that it was not taken. */
  isHandedOver: boolean
}

/** What becomes of a delivery. `reply` is one line for people, the server's code first where it gave one. */
export type Outcome =
  | { kind: 'sent'; reply: string }
  | { kind: 'retry'; reply: string }
  /** `isAddressDead`: the address itself is gone, for the list of those not to be written to. */
  | { kind: 'fail'; reply: string; isAddressDead: boolean }
  /** The mailbox stops, the delivery goes back unharmed. `forMs` null: until its owner acts. */
  | { kind: 'pause'; cause: 'credentials' | 'limit'; forMs: number | null; reply: string }
  /** It is unknown whether the server accepted it. */
  | { kind: 'unknown'; reply: string }

const hourMs = 3_600_000

interface PauseRule {
  code: number
  enhanced?: string
  cause: 'credentials' | 'limit'
  forMs: number | null
}

/** Replies about the mailbox instead of the message (engine.md, Errors). */
const pauseRules: readonly PauseRule[] = [
  { code: 535, cause: 'credentials', forMs: null },
  { code: 534, cause: 'credentials', forMs: null },
  { code: 530, cause: 'credentials', forMs: null }, // RFC 4954 §6: sign in first
  { code: 538, cause: 'credentials', forMs: null }, // RFC 4954 §6: encrypt first
  { code: 550, enhanced: '5.7.30', cause: 'credentials', forMs: null },
  { code: 550, enhanced: '5.4.5', cause: 'limit', forMs: 4 * hourMs },
  { code: 550, enhanced: '5.1.90', cause: 'limit', forMs: 4 * hourMs }, // Microsoft's daily limit of recipients
  { code: 421, enhanced: '4.7.0', cause: 'limit', forMs: hourMs },
]

const deadAddressCodes = new Set(['5.1.1', '5.1.2', '5.1.6', '5.1.10', '5.2.1'])

/** Library codes for a message that cannot be sent, raised before it reaches the server. */
const permanentLibraryCodes = new Set(['EENVELOPE', 'EMESSAGE'])

/** Judges by the reply first, then by its enhanced code, then by the library's code. */
export function classify(failure: SmtpFailure): Outcome {
  const reply = failure.reply === null ? null : parseReply(failure.reply)
  if (reply) return classifyReply(reply, failure.phase)
  const words = describeSilence(failure)
  if (failure.isHandedOver) return { kind: 'unknown', reply: words }
  if (failure.phase === 'message' && permanentLibraryCodes.has(failure.libraryCode ?? '')) {
    return { kind: 'fail', reply: words, isAddressDead: false }
  }
  return { kind: 'retry', reply: words }
}

function classifyReply(reply: SmtpReply, phase: SmtpPhase): Outcome {
  const words = formatReply(reply)
  const rule = pauseRules.find(
    ({ code, enhanced }) => code === reply.code && (enhanced === undefined || enhanced === reply.enhanced),
  )
  if (rule) return { kind: 'pause', cause: rule.cause, forMs: rule.forMs, reply: words }
  const isRefusal = reply.code >= 500 && reply.code < 600
  // A server that turns the connection away says nothing about the message that was to follow.
  if (phase === 'connect') return { kind: 'retry', reply: words }
  if (phase === 'login' && isRefusal) return { kind: 'pause', cause: 'credentials', forMs: null, reply: words }
  if (phase === 'message' && reply.code >= 200 && reply.code < 300) return { kind: 'sent', reply: words }
  // 503 says that the conversation was out of step, not that the message is refused: a new one can carry it.
  if (isRefusal && reply.code !== 503) {
    return { kind: 'fail', reply: words, isAddressDead: deadAddressCodes.has(reply.enhanced ?? '') }
  }
  return { kind: 'retry', reply: words }
}

function describeSilence(failure: SmtpFailure): string {
  const code = failure.systemCode ?? failure.libraryCode
  const what = failure.isHandedOver
    ? 'The connection ended after the message and before the mail server’s answer'
    : failure.phase === 'message'
      ? 'The message could not be handed over'
      : 'The mail server could not be reached'
  return oneLine(code === null ? what : `${what} (${code})`)
}
