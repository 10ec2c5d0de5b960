import { describe, expect, it } from 'vitest'
import type { BounceReason } from '../../../contract/inbox/bounce-reason.ts'
import { reasonOf } from './reason.ts'

/** A text of so many characters that means nothing. */
const other = (chars: number) => ` ${'z'.repeat(chars - 2)} `

describe('two words of a mail server are one reason', () => {
  it.each<[string, number, string, BounceReason]>([
    ['helo', 40, 'does not resolve', 'reverse_dns_missing'],
    ['spf', 60, 'fail', 'auth_failed'],
    ['dkim', 60, 'fail', 'auth_failed'],
    ['sender', 30, 'not authenticated', 'auth_failed'],
    ['sender verify', 20, 'fail', 'auth_failed'],
    ['fail', 20, 'sender verif', 'auth_failed'],
    ['sender address', 20, 'invalid', 'auth_failed'],
    ['authentication', 20, 'relay', 'relaying_denied'],
    ['relaying to ', 40, 'prohibited', 'relaying_denied'],
    ['connection', 20, ' for abuse', 'blocked'],
    ['access denied', 40, 'ip', 'blocked'],
    ['ip', 60, 'listed', 'blocked'],
    ['messages from ', 60, 'deferred', 'blocked'],
    ['helo', 40, 'invalid', 'blocked'],
    ['recipient', 40, 'receiving mail at', 'recipient_rate_limited'],
    ['user', 40, 'receiving mail at a rate', 'recipient_rate_limited'],
    ['exceed', 30, 'per hour', 'rate_limited'],
    ['mailbox', 40, 'full', 'mailbox_full'],
    ['error writing', 80, 'too large', 'mailbox_full'],
    ['exceeded', 30, 'storage', 'mailbox_full'],
    ['exceed', 30, 'quota', 'mailbox_full'],
    ['overdrawn', 30, 'quota', 'mailbox_full'],
    ['speicherplatz', 30, 'überschritten', 'mailbox_full'],
    ['storage', 20, 'exceeded', 'mailbox_full'],
    ['account', 40, 'suspend', 'mailbox_suspended'],
    ['account', 40, 'disabled', 'mailbox_disabled'],
    ['casilla', 40, 'expirad', 'mailbox_disabled'],
    ['name service', 20, 'not found', 'host_unknown'],
    ['domain', 60, "couldn't be found", 'host_unknown'],
    ['dns domain', 60, 'does not exist', 'host_unknown'],
    ['server', 40, 'not accept any mail', 'domain_not_accepting'],
    ['user', 60, 'unknown', 'user_unknown'],
    ['does not have a ', 60, 'account', 'user_unknown'],
    ['no email', 12, ' available', 'user_unknown'],
    ['does not have a ', 20, 'delivery point', 'user_unknown'],
    ['empfänger', 60, 'unbekannt', 'user_unknown'],
    ['adresse', 60, 'inconnu', 'user_unknown'],
    ['usuario', 60, 'desconocid', 'user_unknown'],
    ['caixa', 60, 'não encontrad', 'user_unknown'],
    ['adres', 60, 'bestaat niet', 'user_unknown'],
    ['odbiorca', 60, 'nieznany', 'user_unknown'],
    ['adressen', 60, 'finns inte', 'user_unknown'],
    ['osoite', 60, 'ei ole', 'user_unknown'],
    ['adresa', 60, 'neexistuje', 'user_unknown'],
    ['宛先', 20, '見つかりません', 'user_unknown'],
    ['sender', 60, 'not', 'policy_refused'],
    ['user', 60, 'invalid', 'user_unknown'],
    ['invalid', 20, 'user', 'user_unknown'],
    ['message', 40, 'exceed ', 'message_too_large'],
    ['nachricht', 20, 'zu groß', 'message_too_large'],
    ['file type', 30, 'not allowed', 'attachment_refused'],
    ['mime', 30, 'reject', 'not_standard_conforming'],
    ['maildir', 80, 'permission denied', 'system_error'],
    ['system', 30, 'full', 'system_full'],
    ['delivery', 40, 'expired', 'expired'],
    ['maximum', 20, 'delivery attempts', 'expired'],
    ['5.7.1', 40, 'denied content', 'policy_refused'],
    ['text', 20, 'refused', 'content_refused'],
    ['550 user', 60, 'not', 'user_unknown'],
    ['message', 60, 'rejected', 'content_refused'],
  ])('"%s" up to %s characters before "%s": %s', (first, chars, second, reason) => {
    expect(reasonOf('', first + other(chars) + second)).toBe(reason)
    expect(reasonOf('', first + other(chars + 1) + second)).not.toBe(reason)
  })
})

it.each<[string, string, string, BounceReason]>([
  ['a word of 20 letters', `daily ${'z'.repeat(20)} quota`, `daily ${'z'.repeat(21)} quota`, 'rate_limited'],
  [
    '20 characters of a table',
    `mailbox is not in our ${'z'.repeat(20)} table`,
    `mailbox is not in our ${'z'.repeat(21)} table`,
    'user_unknown',
  ],
  [
    '30 characters of a list',
    `not a member of the ${'z'.repeat(30)} list`,
    `not a member of the ${'z'.repeat(31)} list`,
    'policy_refused',
  ],
  [
    'four letters of an ending',
    `destinatarzzzz${other(60)}unknown`,
    `destinatarzzzzz${other(60)}unknown`,
    'user_unknown',
  ],
  [
    'a word of 20 characters',
    `unable to find ${'z'.repeat(20)} user`,
    `unable to find ${'z'.repeat(21)} user`,
    'user_unknown',
  ],
  ['three words', 'unable to find a b c user', 'unable to find a b c d user', 'user_unknown'],
  ['three signs', '@--- does not exist', '@---- does not exist', 'user_unknown'],
  ['three digits of hops', 'exceeded 123 hops', 'exceeded 1234 hops', 'loop_detected'],
  ['three digits of an RFC', 'see rfc 822', 'see rfc 82', 'not_standard_conforming'],
  ['four digits of an RFC', 'see rfc 2822', 'see rfc 28222', 'not_standard_conforming'],
  [
    '20 letters of a header',
    `mail without ${'z'.repeat(20)}: header`,
    `mail without ${'z'.repeat(21)}: header`,
    'not_standard_conforming',
  ],
  ['four digits of attempts', '1234 attempts', '12345 attempts', 'expired'],
])('%s are part of a reason, more are not', (_name, words, longer, reason) => {
  expect(reasonOf('', words)).toBe(reason)
  expect(reasonOf('', longer)).not.toBe(reason)
})

it('a negation says that there is no recipient unless "accept" follows within three words of 20 characters', () => {
  const reason = (between: string) => reasonOf('', `550 subscriber will not ${between} accept`)
  const [word, longer] = ['z'.repeat(20), 'z'.repeat(21)]
  expect([reason(word), reason(longer)]).toEqual(['undefined', 'user_unknown'])
  expect([reason('z z z'), reason('z z z z')]).toEqual(['undefined', 'user_unknown'])
})
