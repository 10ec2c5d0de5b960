import { describe, expect, it } from 'vitest'
import { dsn } from '../../../tests/support/bounces/bounce-samples.ts'
import { parseMail } from '../mime/parse-mail.ts'
import { addressOf, addressPattern, readDsn, statusPattern, typePattern } from './dsn.ts'
import * as notices from './notice-patterns.ts'
import { phrases } from './phrases.ts'
import { readBounce } from './read-bounce.ts'
import { findStatus, isTemporaryText, reasonOf } from './reason.ts'
import { bounceSystems } from './systems.ts'

/** Least processor time of several runs, in ms: other programs on the machine do not count. */
function timeOf(work: () => unknown, runs = 5): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

/** Below this time the ratio is noise: the kernel counts in steps of 4 ms. What is not linear takes longer. */
const noiseMs = 60

/** How many times as long the whole takes as the half: the least of three measurements, since a busy machine disturbs one. */
function growthOf(whole: () => unknown, half: () => unknown, runs?: number): number {
  let least = Infinity
  for (let measured = 0; measured < 3 && least > 2.5; measured++)
    least = Math.min(least, timeOf(whole, runs) / timeOf(half, runs))
  return least
}

const fill = (piece: string, chars: number) => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars)
/** The words of a pattern, each of which begins a match that fails. */
const wordsOf = ({ source }: RegExp) => new Set(source.match(/[\p{Ll}-]{3,}(?: [\p{Ll}-]{2,}){0,2}/gu))

describe('a text of twice the length takes at most 2.5 times as long', () => {
  it.each(phrases.map(([reason, pattern], at) => [`${at} ${reason}`, pattern] as const))(
    'in pattern %s, filled with any of its words',
    (_name, pattern) => {
      const chars = 16_000
      const slow: string[] = []
      for (const word of wordsOf(pattern)) {
        for (const piece of [`${word} `, `${word}.`, word]) {
          const [half, whole] = [fill(piece, chars / 2), fill(piece, chars)]
          if (timeOf(() => pattern.test(whole), 1) < noiseMs) continue
          const ratio = growthOf(
            () => pattern.test(whole),
            () => pattern.test(half),
          )
          if (ratio > 2.5) slow.push(`${piece}: ${ratio.toFixed(1)} times`)
        }
      }
      expect(slow).toEqual([])
    },
  )

  it.each([
    ['a name without an end', 'a'],
    ['names with dots', 'a.'],
    ['long names with dots', `${'a'.repeat(64)}.`],
    ['underscores', '_'],
    ['addresses', 'a@b.'],
    ['hosts without an address', 'host a'],
    ['hosts with a bracket', 'host a [1'],
    ['a host of 255 characters', `host ${'a'.repeat(254)} `],
    ['temporary codes', '450 4.4.4.4'],
    ['permanent codes', '550 5.5.5.5'],
    ['numbers', ' 5.1.1.'],
    ['words that give up', 'giving up on '],
    ['words of users', 'user mailbox recipient address account '],
    ['blanks', ' '],
  ])('in the whole rules: %s', (_what, piece) => {
    const read = (chars: number) => () => {
      const text = fill(piece, chars)
      for (let run = 0; run < 40; run++) {
        reasonOf('5.0.0', text)
        findStatus(text)
        isTemporaryText(text)
      }
    }
    for (let run = 0; run < 5; run++) read(2000)()
    const whole = timeOf(read(2000))
    if (whole > noiseMs) expect(growthOf(read(2000), read(1000))).toBeLessThanOrEqual(2.5)
    // 100 recipients of one report.
    expect(whole * 2.5).toBeLessThan(2000)
  })
})

describe('a text of 200 kB takes at most 2.5 times as long as one of 100 kB', () => {
  const chars = 200_000
  /** Texts in which a match begins everywhere and fails. */
  const hostile = [
    ...['a', 'a.', '@', 'a@', 'a@b.', '<', '<a', "'a", ' ', '\t', '-', '_', '*', ':', ';', 'a;', 'a ; '],
    ...['\n', '\n ', '\n  a', '\n<a', '\n- ', ' a\n', '\r\n', '550 ', '550-', '5.1.1.', '5.111.111', '(a', ' (a)'],
    ...['following users:\n a', 'content-type:\n ', 'content-type: multipart/report; ', 'your message \n '],
  ]

  function read(pattern: RegExp, text: string): void {
    if (pattern.global) text.replaceAll(pattern, '')
    else pattern.test(text)
  }

  function slowOf(pieces: Iterable<string>, work: (text: string) => unknown): string[] {
    return [...pieces].flatMap((piece) => {
      const [half, whole] = [fill(piece, chars / 2), fill(piece, chars)]
      if (timeOf(() => work(whole), 1) < noiseMs) return []
      const ratio = growthOf(
        () => work(whole),
        () => work(half),
        3,
      )
      return ratio > 2.5 ? [`${piece}: ${ratio.toFixed(1)} times`] : []
    })
  }

  const patterns = [
    ...Object.entries({ ...notices, statusPattern, typePattern, addressPattern }),
    ...bounceSystems.flatMap(({ name, isFrom, recipients, copyMarker }) => [
      [`sender of ${name}`, isFrom] as const,
      [`recipients of ${name}`, recipients] as const,
      ...(copyMarker === undefined ? [] : [[`copy of ${name}`, copyMarker] as const]),
    ]),
  ]
  const bySource = new Map(patterns.map(([name, pattern]) => [String(pattern), [name, pattern] as const]))

  it.each([...bySource.values()])('in pattern %s', (_name, pattern) => {
    const words = [...wordsOf(pattern)].flatMap((word) => [word, `${word} `, `\n${word}`])
    expect(slowOf([...hostile, ...words], (text) => read(pattern, text))).toEqual([])
  })

  it('in a field, and in the fields of a report', () => {
    expect(slowOf(['a@b.', 'a; ', ' ', '@'], addressOf)).toEqual([])
    const mail = parseMail(Buffer.from(dsn('Action: failed')))
    const withFields = (text: string) => ({
      ...mail,
      parts: mail.parts.map((part) => (part.type === 'message/delivery-status' ? { ...part, text } : part)),
    })
    const fields = ['Action: failed\n\n', 'Final-Recipient: rfc822; a', 'Status: 5.1.1\n', 'Diagnostic-Code: 550-a\n ']
    expect(slowOf([...hostile, ...fields], (text) => readDsn(withFields(text)))).toEqual([])
  })

  it('in a whole bounce, with and without fields', () => {
    const fields = 'Final-Recipient: rfc822; ann@example.org\nDiagnostic-Code: smtp; 550-a\nAction: failed'
    const bounces = [(text: string) => dsn(fields, { text }), (text: string) => `From: <>\n\n${text}`]
    for (const bounce of bounces)
      expect(slowOf(hostile, (text) => readBounce(parseMail(Buffer.from(bounce(text)))))).toEqual([])
  })
})
