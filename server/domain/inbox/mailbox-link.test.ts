import { describe, expect, it } from 'vitest'
import { mailboxLink } from './mailbox-link.ts'

describe('the link to a mail in its mailbox', () => {
  it('is the search for its Message-ID in Gmail, and the mailbox where it has none', () => {
    const mail = { provider: 'gmail', mailboxAddress: 'ann+shop@example.com', detail: { message_id: 'a#b@c.example' } }
    expect(mailboxLink(mail)).toBe(
      'https://mail.google.com/mail/?authuser=ann%2Bshop%40example.com#search/rfc822msgid%3Aa%23b%40c.example',
    )
    expect(mailboxLink({ ...mail, detail: {} })).toBe('https://mail.google.com/mail/?authuser=ann%2Bshop%40example.com')
  })

  it('is the mailbox of Outlook for persons or organisations, and none elsewhere', () => {
    const of = (provider: string, mailboxAddress: string) => mailboxLink({ provider, mailboxAddress, detail: {} })
    expect(of('outlook', 'ann@hotmail.co.uk')).toBe('https://outlook.live.com/mail/0/')
    expect(of('outlook', 'ann@example.com')).toBe('https://outlook.office.com/mail/')
    expect(of('other', 'ann@example.com')).toBeNull()
  })
})
