import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../contract/core/errors.ts'
import type { RecipientLine } from '../../domain/campaigns/campaign.ts'
import { readCsvRecipients, readJsonRecipients } from './stream-lines.ts'

async function collect(lines: AsyncIterable<RecipientLine>): Promise<RecipientLine[]> {
  const found = []
  for await (const line of lines) found.push(line)
  return found
}
const bodyOf = (text: string) => Readable.from([Buffer.from(text)])
const readJson = (...lines: unknown[]) =>
  collect(readJsonRecipients(bodyOf(lines.map((line) => JSON.stringify(line)).join('\n'))))
const withContext = (context: object) => ({ email: 'ann@example.com', context })

describe('a line of a stream of recipients', () => {
  it('has up to 65,536 bytes as JSON; a longer one is refused, and those behind it are read', async () => {
    const lineOf = (bytes: number) => '"ann@example.com"'.padStart(bytes)
    expect(await collect(readJsonRecipients(bodyOf(`${lineOf(65_537)}\n${lineOf(65_536)}\n`)))).toEqual([
      { line: 1, refusal: 'The line is longer than 64 kB.' },
      { line: 2, email: 'ann@example.com', context: null },
    ])
  })

  it('has cells of up to 65,536 bytes together as CSV', async () => {
    const read = (bytes: number) =>
      collect(readCsvRecipients(bodyOf(`email,note\nann@example.com,${'x'.repeat(bytes - 15)}\n`)))
    // A value has at most 10,000 characters: the line is read, and then refused for that.
    expect(await read(65_536)).toMatchObject([{ line: 2, refusal: expect.stringContaining('10000 characters') }])
    // csv-parse notices one byte too many at the byte behind it.
    await expect(read(65_538)).rejects.toThrow(AppError)
  })

  it('has up to 500 values', async () => {
    const lineOf = (count: number) => withContext(Object.fromEntries(Array.from({ length: count }, (_, no) => [no, 1])))
    expect(await readJson(lineOf(500), lineOf(501))).toMatchObject([
      { email: 'ann@example.com' },
      { refusal: 'There are more than 500 values.' },
    ])
  })

  it('has values of up to 10,000 characters', async () => {
    const lineOf = (chars: number) => withContext({ note: 'x'.repeat(chars) })
    expect(await readJson(lineOf(10_000), lineOf(10_001))).toMatchObject([
      { email: 'ann@example.com' },
      { refusal: 'A value has more than 10000 characters.' },
    ])
  })

  it('names an unknown field with up to 64 characters', async () => {
    const lineOf = (chars: number) => ({ email: 'ann@example.com', ['x'.repeat(chars)]: 1 })
    const named = { refusal: expect.stringMatching(/^x{64} is not a field/) as string }
    expect(await readJson(lineOf(64), lineOf(65))).toMatchObject([named, named])
  })
})
