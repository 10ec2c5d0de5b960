import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAddress, type AddressProblem } from './address.ts'

const addressOf = (text: string) => {
  const parsed = parseAddress(text)
  return parsed.ok ? parsed.address : parsed.problem
}

describe('parseAddress', () => {
  it.each<[text: string, problem: AddressProblem]>([
    ['', 'empty'],
    ['   ', 'empty'],
    ['a@x.com\r\nBcc: e@e.com', 'control'],
    ['a@x.com\nRCPT TO:<e@e.com>', 'control'],
    ['a\0@x.com', 'control'],
    ['a@x.com\u0000', 'control'],
    ['a\u202e@x.com', 'control'],
    ['a@x\u200b.com', 'control'],
    ['a@x.com, b@y.com', 'several'],
    ['a@x.com;b@y.com', 'several'],
    ['a@x.com b@y.com', 'several'],
    ['a@x.com <b@y.com>', 'several'],
    ['G: a@x.com;', 'several'],
    ['G: a@x.com', 'decorated'],
    ['"x@gmail.com y"@in.dom', 'several'],
    ['"x y"@in.dom', 'decorated'],
    ['user@good.com(x)evil.com', 'decorated'],
    ['user@good(x)evil.com', 'decorated'],
    ['<a@x.com> SIZE=1', 'decorated'],
    ['<a@x.com>', 'decorated'],
    ['Ann <a@x.com>', 'decorated'],
    ['a@[127.0.0.1]', 'decorated'],
    ['a\\b@x.com', 'decorated'],
    ['@r:v@x.com', 'decorated'],
    ['-oQ@x.com', 'local'],
    ['-oQ/tmp@x.com', 'local'],
    ['a@b@x.com', 'local'],
    ['.a@x.com', 'local'],
    ['a..b@x.com', 'local'],
    ['a.@x.com', 'local'],
    ['@x.com', 'decorated'],
    ['ann', 'no_at'],
    ['ann.example.com', 'no_at'],
    ['a@', 'domain'],
    ['a@x', 'domain'],
    ['a@x.com.', 'domain'],
    ['a@.x.com', 'domain'],
    ['a@x..com', 'domain'],
    ['a@-x.com', 'domain'],
    ['a@x_y.com', 'domain'],
    ['a@127.0.0.1', 'domain'],
    ['a@1', 'domain'],
    ['a@x.com/b', 'domain'],
    ['a@x.com?b', 'domain'],
    ['a@x%2ecom', 'domain'],
    ['a@аррӏе.com', 'lookalike'],
    ['a@gооgle.com', 'lookalike'],
    ['a@ехо.com', 'lookalike'],
  ])('H28 %j is refused as %s', (text, problem) => {
    expect(parseAddress(text)).toEqual({ ok: false, problem })
  })

  it('H28 an address longer than SMTP allows is refused', () => {
    for (const text of [`${'a'.repeat(65)}@x.com`, `${'é'.repeat(33)}@x.com`, `a@${'bbbbbbbbb.'.repeat(32)}com`]) {
      expect(parseAddress(text)).toEqual({ ok: false, problem: 'too_long' })
    }
    expect(parseAddress(`a@${'b'.repeat(64)}.com`)).toEqual({ ok: false, problem: 'domain' })
    expect(addressOf(`${'a'.repeat(64)}@x.com`)).toBe(`${'a'.repeat(64)}@x.com`)
    expect(addressOf(`${'é'.repeat(32)}@x.com`)).toBe(`${'é'.repeat(32)}@x.com`)
    expect(addressOf(`a@${'b'.repeat(63)}.com`)).toBe(`a@${'b'.repeat(63)}.com`)
    const host = (chars: number) => `${'b'.repeat(63)}.${'b'.repeat(63)}.${'b'.repeat(63)}.${'b'.repeat(chars - 192)}`
    expect(addressOf(`a@${host(252)}`)).toHaveLength(254)
    expect(addressOf(`a@${host(253)}`)).toBe('too_long')
  })

  it.each(['@', 'a', 'a@', ' @', '<', 'é', '.'])('H28 a megabyte of %j is refused without effort', (unit) => {
    expect(parseAddress(`a@x.com ${unit.repeat(1_000_000 / unit.length)}`).ok).toBe(false)
  })

  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['  ann@example.com\t', 'ann@example.com'],
    ["o'neil+news=1@example.co.uk", "o'neil+news=1@example.co.uk"],
    ['Ann.B@EXAMPLE.Com', 'Ann.B@example.com'],
    ['sandbox@localhost', 'sandbox@localhost'],
    ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@почта.рф', 'ann@xn--80a1acny.xn--p1ai'],
    ['ann@сахар.рф', 'ann@xn--80aa2cbv.xn--p1ai'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['jürgen@example.com', 'jürgen@example.com'],
  ])('%j is read as %s', (text, address) => {
    expect(addressOf(text)).toBe(address)
  })

  it('H29 spellings that differ in case, blanks or composition share a key', () => {
    const keys = ['ann@example.com', ' ANN@Example.COM ', 'Ann@eXample.com'].map((text) => parseAddress(text))
    expect(new Set(keys.map((parsed) => parsed.ok && parsed.key))).toEqual(new Set(['ann@example.com']))
    const composed = ['j\u00fcrgen@example.com', 'ju\u0308rgen@example.com'].map((text) => parseAddress(text))
    expect(composed[0]).toEqual(composed[1])
  })

  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: fc.constantFrom(...Array.from('ab@.,;:<>()[]"\\ \r\n\t\0-%!é☃аеο')), maxLength: 30 }),
    fc.tuple(fc.emailAddress(), fc.string({ maxLength: 10 })).map(([address, tail]) => address + tail),
  )

  it('H28 whatever comes in, what goes out is one address that SMTP cannot read as more', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const parsed = parseAddress(text)
        if (!parsed.ok) return
        expect(parsed.address).toMatch(/^[^\s@<>()[\]",;:\\\p{C}-][^\s@<>()[\]",;:\\\p{C}]*@[a-z0-9.-]+$/u)
        expect(new TextEncoder().encode(parsed.address).length).toBeLessThanOrEqual(254)
      }),
      { numRuns: 3000 },
    )
  })

  it('an address is read alike with blanks around it and without', () => {
    const domain = fc.constantFrom(
      'example.com',
      'xn--bcher-kva.example',
      'a.b-c.dev',
      'x.123',
      'x.0x7f',
      'a--b.com',
      'x-.com',
    )
    const local = fc.stringMatching(/^[a-z0-9.+_-]{0,70}$/)
    fc.assert(
      fc.property(local, domain, (before, after) => {
        expect(parseAddress(`${before}@${after}`)).toEqual(parseAddress(` ${before}@${after} `))
      }),
    )
  })

  it('H29 an address that was read is read again as itself, with the same key', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const first = parseAddress(text)
        if (first.ok) expect(parseAddress(first.address)).toEqual(first)
      }),
      { numRuns: 3000 },
    )
  })
})
