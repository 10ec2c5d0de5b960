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
    ['text', 20, 'refused', 'content_refused'],
    ['550 user', 60, 'not', 'user_unknown'],
    ['message', 60, 'rejected', 'content_refused'],
  ])('"%s" up to %s characters before "%s": %s', (first, chars, second, reason) => {
    expect(reasonOf('', first + other(chars) + second)).toBe(reason)
    expect(reasonOf('', first + other(chars + 1) + second)).not.toBe(reason)
  })
})
