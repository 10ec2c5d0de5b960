import { describe, expect, it } from 'vitest'
import { many } from '../../tests/support/inbox/many.ts'
import { noDeliveries, place } from '../../tests/support/inbox/read-mail-ports.ts'
import { readFeedbackReport } from './arf.ts'
import { classifyHeaders } from './classify.ts'
import { findOurIds, normalizeSubject, readMessageIds } from './match-keys.ts'
import { MailHeaders } from './mime/headers.ts'
import { parseMail } from './mime/parse-mail.ts'
import { imapEndpointOf } from './providers.ts'
import { readMail } from './read-mail.ts'

const messageId = '0198f2c4-1a2b-7c3d-8e4f-0123456789ab'

describe('what a mail answers', () => {
  it('is found among 50 Message-IDs', () => {
    const ids = (count: number) => many(count, (no) => `<${messageId}.${no + 1}@example.com>`)
    expect([findOurIds(ids(50)).length, findOurIds(ids(51)).length]).toEqual([50, 50])
    expect([readMessageIds(ids(50)).length, readMessageIds(ids(51)).length]).toEqual([50, 50])
  })

  it('has a number of up to 15 digits, and a code of 16', () => {
    const found = (end: string) => findOurIds(`<${messageId}.${end}@example.com>`)[0]
    expect(found('9'.repeat(15))).toMatchObject({ deliveryId: 999_999_999_999_999, mac: null })
    expect(found('9'.repeat(16))).toBeUndefined()
    expect(found(`7.${'a'.repeat(16)}`)).toMatchObject({ mac: 'a'.repeat(16) })
    expect(found(`7.${'a'.repeat(15)}`)).toBeUndefined()
    expect(found(`7.${'a'.repeat(17)}`)).toBeUndefined()
  })

  it('has Message-IDs of 3 to 250 characters', () => {
    expect([2, 3, 250, 251].map((chars) => readMessageIds(`<${'a'.repeat(chars)}>`).length)).toEqual([0, 1, 1, 0])
  })

  it('loses up to ten prefixes of its subject', () => {
    expect(normalizeSubject(`${'Re: '.repeat(10)}Hello`)).toBe('hello')
    expect(normalizeSubject(`${'Re: '.repeat(11)}Hello`)).toBe('re: hello')
    expect(normalizeSubject('Re[999]: Hello')).toBe('hello')
    expect(normalizeSubject('Re[1000]: Hello')).toBe('re[1000]: hello')
  })
})

describe('what is found in a mail', () => {
  const delivery = { month: '2026-08', id: 7, messageId, contactId: null, recipient: 'ann@example.org' }
  const find = { ...noDeliveries, byProviderId: () => Promise.resolve(delivery) }
  const read = async (header: string, body: Buffer | string = 'Thank you.') => {
    const { mails } = await readMail(
      'answer',
      new MailHeaders(header),
      Buffer.concat([Buffer.from(`${header}\n\n`), Buffer.from(body)]),
      place,
      find,
    )
    return mails[0]!
  }

  it('has a subject of 500 characters', async () => {
    const subject = async (chars: number) => (await read(`Subject: ${'x'.repeat(chars)}`)).subject
    expect([await subject(500), await subject(501)]).toEqual(['x'.repeat(500), 'x'.repeat(500)])
  })

  it('has a text of 65,536 bytes', async () => {
    const text = async (chars: number) => {
      const body = `a${'é'.repeat(chars)}`
      return (await read('Content-Type: text/plain; charset=iso-8859-1', Buffer.from(body, 'latin1'))).excerpt
    }
    // The first character has one byte, and each of the others two.
    expect(await text(32_767)).toBe(`a${'é'.repeat(32_767)}`)
    expect(await text(32_768)).toBe(`a${'é'.repeat(32_767)}`)
    const ascii = async (bytes: number) => {
      const body = Buffer.from(`${'é'.repeat(32_767)}${'b'.repeat(bytes - 65_534)}`, 'latin1')
      return (await read('Content-Type: text/plain; charset=iso-8859-1', body)).excerpt
    }
    expect(await ascii(65_536)).toBe(`${'é'.repeat(32_767)}bb`)
    expect(await ascii(65_537)).toBe(`${'é'.repeat(32_767)}bb`)
  })

  it('has a hash of 16 bytes, and references of 4,000 characters', async () => {
    expect((await read('Subject: Hello')).mailIdHash).toHaveLength(16)
    const references = async (chars: number) => {
      const ids = many(17, (no) => 'x'.repeat(no < 16 ? 234 : chars - 3760), '> <')
      return (await read(`References: <${ids}>`)).detail.references?.length
    }
    expect([await references(3999), await references(4000), await references(4001)]).toEqual([3999, 4000, 4000])
  })
})

describe('a mail by its header', () => {
  it('is a bounce if its subject names a failure behind six signs at most', () => {
    const candidate = (signs: number) =>
      classifyHeaders(new MailHeaders(`From: scan@example.net\nSubject: ${'*'.repeat(signs)}Undeliverable`), {
        role: 'inbox',
        ownAddresses: new Set(),
      })
    expect([candidate(6), candidate(7)]).toEqual(['bounce', 'answer'])
  })

  it('is a complaint of a program of 200 characters', () => {
    const program = (chars: number) =>
      readFeedbackReport(
        parseMail(
          Buffer.from(
            `Content-Type: message/feedback-report\n\nFeedback-Type: abuse\nUser-Agent: ${'x'.repeat(chars)}\n`,
          ),
        ),
      )?.userAgent
    expect([program(200), program(201)]).toEqual(['x'.repeat(200), 'x'.repeat(200)])
  })
})

it('mailboxes of known providers, and others without a port, are read on port 993', () => {
  const mailbox = { emailAddress: 'studio@example.com', imap: null, smtpHost: 'smtp.example.com' }
  const portOf = (provider: 'gmail' | 'other') =>
    imapEndpointOf({ ...mailbox, provider }, { allow: [], sandboxPort: null })?.port
  expect([portOf('gmail'), portOf('other')]).toEqual([993, 993])
})
