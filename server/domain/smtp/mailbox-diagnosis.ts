import { serverMessage } from '../../../contract/core/server-messages.ts'
import type { Provider } from '../../../contract/mail/config.limits.ts'
import { mailboxSentences, type MailboxSentence } from '../../../contract/mail/mailbox-sentences.ts'
import type { SmtpFailure } from './smtp-outcome.ts'
import { formatReply, parseReply, type SmtpReply } from './smtp-reply.ts'

/** Why a mailbox cannot be used. `refused`: the server rejected the login. `unreachable`: no login was possible. */
export interface Diagnosis {
  kind: 'refused' | 'unreachable'
  /** What is the matter and what to do, the mail server's own words after it. */
  sentence: string
}

/** A mailbox that did not work. */
export interface MailboxFailure {
  provider: Provider | 'system'
  emailAddress: string
  smtpFailure: SmtpFailure
  /** Never shown, should a server repeat them. */
  secrets: readonly string[]
}

/** System code of a sign-in by access token that the mail server did not take. */
export const bearerRefused = 'BEARER_REFUSED'

const serverWordsMaxChars = 200
const personalMicrosoft = /^(?:outlook|hotmail|live|msn|passport)\./

/** Whether Microsoft serves the address as a personal account, not as an organisation's. */
export function isPersonalMicrosoft(emailAddress: string): boolean {
  return personalMicrosoft.test(emailAddress.slice(emailAddress.lastIndexOf('@') + 1).toLowerCase())
}

/** Says in plain words why a sign-in failed and what to do about it. */
export function diagnose(failure: MailboxFailure): Diagnosis {
  const { smtpFailure } = failure
  const reply = smtpFailure.reply === null ? null : parseReply(smtpFailure.reply)
  if (!reply)
    return { kind: 'unreachable', sentence: mailboxSentences[forProvider(explainSilence(smtpFailure), failure)] }
  const name = forProvider(explainReply(reply, failure), failure)
  const words = formatReply(reply)
  const kind = smtpFailure.phase === 'login' && reply.code >= 500 ? 'refused' : 'unreachable'
  return { kind, sentence: withReply(mailboxSentences[name], words, failure.secrets) }
}

function explainReply(reply: SmtpReply, failure: MailboxFailure): MailboxSentence {
  const { phase, libraryCode } = failure.smtpFailure
  if (libraryCode === 'ETLS') return 'noStarttls'
  if (phase === 'connect') return reply.code >= 500 ? 'turnedAway' : 'tryLater'
  if (reply.code < 500) return reply.code === 454 || reply.enhanced === '4.7.0' ? 'tooManyLogins' : 'tryLater'
  if (failure.smtpFailure.systemCode === bearerRefused) return 'oauthRefused'
  switch (failure.provider) {
    case 'gmail':
      return reply.enhanced === '5.7.14' ? 'gmailBrowser' : 'gmailPassword'
    case 'outlook':
      if (isPersonalMicrosoft(failure.emailAddress)) return 'outlookPersonal'
      return reply.enhanced === '5.7.139' || reply.enhanced === '5.7.30' ? 'outlookWork' : 'outlookPassword'
    case 'yahoo':
      return 'yahooPassword'
    case 'other':
    case 'system':
      return 'otherPassword'
  }
}

/** Codes of Node.js, its TLS and the SMTP library, by the remedy. */
const silenceCodes: Readonly<Record<string, MailboxSentence>> = {
  ENOTFOUND: 'unknownHost',
  ENODATA: 'unknownHost',
  EAI_AGAIN: 'dnsFailure',
  EDNS: 'dnsFailure',
  FORBIDDEN_ADDRESS: 'unknownHost',
  FORBIDDEN_PORT: 'forbiddenPort',
  FORBIDDEN_CLEAR: 'forbiddenClear',
  NO_LOGIN: 'noLogin',
  ECONNREFUSED: 'refusedConnection',
  EHOSTUNREACH: 'refusedConnection',
  ENETUNREACH: 'refusedConnection',
  ETIMEDOUT: 'timeout',
  ABORT_ERR: 'timeout',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrongName',
  CERT_HAS_EXPIRED: 'expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  ERR_SSL_WRONG_VERSION_NUMBER: 'wrongSecurity',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'wrongSecurity',
  EPROTO: 'wrongSecurity',
  ETLS: 'tls',
}

function explainSilence(smtpFailure: SmtpFailure): MailboxSentence {
  const known = (code: string | null) =>
    code !== null && Object.hasOwn(silenceCodes, code) ? silenceCodes[code] : null
  return known(smtpFailure.systemCode) ?? known(smtpFailure.libraryCode) ?? 'broken'
}

/** What a person cannot correct who chose a provider by name: the form has no fields for its mail server then. */
const providerTrouble: Partial<Record<MailboxSentence, 'providerAway' | 'providerInsecure'>> = {
  unknownHost: 'providerAway',
  forbiddenPort: 'providerAway',
  noLogin: 'providerAway',
  refusedConnection: 'providerAway',
  timeout: 'providerAway',
  broken: 'providerAway',
  forbiddenClear: 'providerInsecure',
  noStarttls: 'providerInsecure',
  wrongSecurity: 'providerInsecure',
  untrusted: 'providerInsecure',
  expired: 'providerInsecure',
  wrongName: 'providerInsecure',
  tls: 'providerInsecure',
}

function forProvider(name: MailboxSentence, { provider }: MailboxFailure): MailboxSentence {
  return provider === 'other' || provider === 'system' ? name : (providerTrouble[name] ?? name)
}

/** The reply of the mail server after our sentence; left out when it holds a secret, plain or as SMTP encodes it. */
function withReply(sentence: string, words: string, secrets: readonly string[]): string {
  const encoded = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')])
  if (encoded.some((secret) => secret !== '' && words.includes(secret))) return sentence
  const shown = words.length > serverWordsMaxChars ? `${words.slice(0, serverWordsMaxChars - 1)}…` : words
  return serverMessage('mail_server_reply', { sentence, reply: shown })
}
