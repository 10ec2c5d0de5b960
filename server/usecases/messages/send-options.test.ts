import { describe, expect, it } from 'vitest'
import { AppError } from '../../../contract/core/errors.ts'
import { checkKind, readAddresses, readSendTime } from './send-options.ts'

const addresses = (count: number, name: string) => Array.from({ length: count }, (_, no) => `${name}${no}@example.com`)

describe('the recipients of a message', () => {
  it('are 50 at most with cc or bcc, all together', () => {
    const read = (to: number, cc: number, bcc: number) =>
      readAddresses(addresses(to, 'to'), { cc: addresses(cc, 'cc'), bcc: addresses(bcc, 'bcc') }).recipients.length
    expect(read(48, 1, 1)).toBe(50)
    expect(() => read(48, 2, 1)).toThrow(AppError)
    expect(read(51, 0, 0)).toBe(51)
    // One that is named twice counts once.
    expect(readAddresses(addresses(50, 'to'), { cc: ['TO0@example.com'] }).recipients).toHaveLength(50)
  })

  it('are 10 at most of a personal message', () => {
    const check = (count: number, kind: 'personal' | 'bulk') =>
      checkKind(kind, { recipients: addresses(count, 'to'), cc: [], bcc: [] })
    expect(() => check(10, 'personal')).not.toThrow()
    expect(() => check(11, 'personal')).toThrow(AppError)
    expect(() => check(11, 'bulk')).not.toThrow()
  })
})

it('a message leaves up to 366 days ahead, and not at this moment', () => {
  const now = new Date('2027-01-01T00:00:00Z')
  const read = (scheduledAt: string) => readSendTime({ scheduledAt, timezone: 'UTC' }, now).scheduledAt?.toISOString()
  expect(read('2028-01-02T00:00:00Z')).toBe('2028-01-02T00:00:00.000Z')
  expect(() => read('2028-01-02T00:00:01Z')).toThrow(AppError)
  expect(read('2027-01-01T00:00:01Z')).toBe('2027-01-01T00:00:01.000Z')
  expect(() => read('2027-01-01T00:00:00Z')).toThrow(AppError)
})
