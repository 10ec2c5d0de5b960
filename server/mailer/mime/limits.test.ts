import { describe, expect, it } from 'vitest'
import { messageContent } from '../../../tests/support/message-content.ts'
import { fillTemplate, parseTemplate } from '../../../contract/mail/merge-variables.ts'
import { BufferPool } from '../smtp/buffer-pool.ts'
import { withAttachments } from './attachment-parts.ts'
import { isLarge } from './large-mail.ts'
import { plainHeader, senderHeader, textHeader } from './mail-header.ts'
import { compileMessage } from './mime.ts'
import { encodeLastPiece, encodePiece } from './quoted-printable.ts'
import { textAlternativeOf } from './text-alternative.ts'

const fill = (chars: number) => 'x'.repeat(chars)

describe('a line in quoted-printable', () => {
  it('has 76 characters, with the sign of a soft break', () => {
    expect(encodeLastPiece(fill(76))).toBe(fill(76))
    expect(encodeLastPiece(fill(77))).toBe(`${fill(75)}=\r\nxx`)
    expect(encodePiece(fill(75))).toBe(`${fill(75)}=\r\n`)
    expect(encodePiece(fill(76))).toBe(`${fill(75)}=\r\nx=\r\n`)
  })

  it('does not begin with a dot or with "From ", which SMTP and mbox files would change', () => {
    expect(['.a', 'From a'].map(encodeLastPiece)).toEqual(['=2Ea', '=46rom a'])
    const others = ['/a', 'Grom a', 'Fsom a', 'Frpm a', 'Fron a', 'From!a', 'Froma']
    expect(others.map(encodeLastPiece)).toEqual(others)
  })

  it('has no blank at its end, and no sign above 126', () => {
    expect(['a \nb', 'a \rb', 'a\t\r\nb'].map(encodeLastPiece)).toEqual(['a=20\r\nb', 'a=20\r\nb', 'a=09\r\nb'])
    expect(encodeLastPiece('~\x7f')).toBe('~=7F')
  })
})

describe('a line of the header', () => {
  it('has 76 characters where it can be folded', () => {
    const subject = (chars: number) => textHeader('Subject', `${fill(33)} ${fill(chars - 43)}`)
    expect(subject(76)).toBe(`Subject: ${fill(33)} ${fill(33)}\r\n`)
    expect(subject(77)).toBe(`Subject: ${fill(33)}\r\n ${fill(34)}\r\n`)
  })

  it('has words of 60 characters in texts and names, of 900 in values for machines; longer ones are encoded', () => {
    expect([60, 61].map((chars) => textHeader('Subject', fill(chars)).includes('=?'))).toEqual([false, true])
    expect([60, 61].map((chars) => senderHeader('From', 'a@b.org', fill(chars)).includes('=?'))).toEqual([false, true])
    expect([900, 901].map((chars) => plainHeader('List-Help', fill(chars)).includes('=?'))).toEqual([false, true])
  })

  it.each([
    ['a subject', textHeader('Subject', fill(300))],
    ['a name', senderHeader('From', 'a@b.org', fill(300))],
    ['a value for machines', plainHeader('List-Help', fill(1000))],
  ])('has encoded words of 52 characters: %s', (_name, header) => {
    const words = header.match(/=\?\S+\?=/g)?.map(({ length }) => length) ?? []
    expect(new Set(words.slice(0, -1))).toEqual(new Set([52]))
    expect(words.at(-1)).toBeLessThanOrEqual(52)
  })
})

describe('the name of a file', () => {
  const headersOf = (filename: string) =>
    withAttachments('m', [], [{ filename, contentType: 'text/plain', inlineId: null, encoded: Buffer.alloc(0) }])
      .filter((part) => typeof part === 'string')
      .join('')

  it('is written as it is up to 60 characters', () => {
    expect(headersOf(fill(60))).toContain(`name="${fill(60)}"`)
    expect(headersOf(fill(61))).toContain('name="=?UTF-8?B?')
  })

  it('is in pieces of 50 characters where it is longer', () => {
    expect(headersOf(fill(100))).toContain(`filename*0="${fill(50)}";\r\n filename*1="${fill(50)}"\r\n`)
    expect(headersOf(fill(101))).toContain(`filename*1="${fill(50)}";\r\n filename*2="x"\r\n`)
  })
})

describe('a large message', () => {
  it('has more than 100,000 characters, with 1,000 or the longest value for each variable', () => {
    const isLargeAt = (chars: number, value = '') =>
      isLarge(messageContent({ content: fill(chars), context: value === '' ? {} : { a: value } }))
    expect([isLargeAt(100_000), isLargeAt(100_001)]).toEqual([false, true])
    const withVariable = (chars: number, valueChars: number) =>
      isLarge(messageContent({ content: `{{a}}${fill(chars - 5)}`, context: { a: fill(valueChars) } }))
    expect([withVariable(99_000, 1), withVariable(99_001, 1)]).toEqual([false, true])
    expect([withVariable(98_000, 2000), withVariable(98_001, 2000)]).toEqual([false, true])
  })
})

describe('the buffer of a mail', () => {
  it('has room for 2,048 bytes more, and two for each character of the address', () => {
    const build = (chars: number) => {
      const content = `${fill(69)}\n`.repeat(82) + fill(chars)
      const mail = { id: 7, recipient: 'bob@example.com', context: null }
      return compileMessage(messageContent({ isHtml: false, content })).build(mail, new Date(0), new BufferPool())
    }
    const around = build(1).bytes.length - 1
    const bufferOf = (bytes: number) => {
      const { bytes: built, buffer } = build(bytes - around)
      return [built.length, buffer?.length]
    }
    expect([bufferOf(6114), bufferOf(6115)]).toEqual([
      [6114, 8192],
      [6115, 16_384],
    ])
  })
})

describe('the text of HTML', () => {
  const textOf = (html: string) => fillTemplate(textAlternativeOf(parseTemplate(html)), {})

  it('has 200 elements, one in the other; deeper ones become dots', () => {
    const nested = (depth: number) => textOf(`<p>One</p>${'<b>'.repeat(depth)}Two`)
    expect([nested(200), nested(201)]).toEqual(['One\n\nTwo', 'One\n\n...'])
  })

  it('has no layout, and each text is on a line, above 5,000 open elements', () => {
    const open = (count: number) => textOf(`<p>One</p><p>Two</p>${'<i>'.repeat(count)}`)
    expect([open(5000), open(5001)]).toEqual(['One\n\nTwo\n\n...', 'One\nTwo'])
  })
})
