import { describe, expect, it } from 'vitest'
import { instantOf, isTimeZone } from './schedule.ts'

describe('a time as entered', () => {
  it.each([
    ['2027-07-01T09:00', 'Europe/Berlin', '2027-07-01T07:00:00.000Z'],
    ['2027-01-01T09:00', 'Europe/Berlin', '2027-01-01T08:00:00.000Z'],
    ['2027-01-01T09:00:30', 'America/New_York', '2027-01-01T14:00:30.000Z'],
    ['2027-01-01T09:00', 'UTC', '2027-01-01T09:00:00.000Z'],
    ['2027-01-01T00:30', 'Pacific/Kiritimati', '2026-12-31T10:30:00.000Z'],
    ['2027-01-01T09:00+05:30', 'Europe/Berlin', '2027-01-01T03:30:00.000Z'],
    ['2027-01-01T09:00:00.5Z', 'Europe/Berlin', '2027-01-01T09:00:00.500Z'],
    ['2027-01-01T09:00:00.123456789Z', 'Europe/Berlin', '2027-01-01T09:00:00.123Z'],
    ['2027-01-01T09:00:00.123456789', 'UTC', '2027-01-01T09:00:00.000Z'],
    // Clocks in Berlin jump from 2 to 3 on 28 March 2027, and show 2 to 3 twice on 31 October.
    ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
    ['2027-03-28T03:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z'],
    ['2027-03-28T01:59', 'Europe/Berlin', '2027-03-28T00:59:00.000Z'],
    ['2027-10-31T02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
    ['2027-10-31T03:00', 'Europe/Berlin', '2027-10-31T02:00:00.000Z'],
  ])('%s in %s is %s', (text, zone, expected) => {
    expect(instantOf(text, zone)?.toISOString()).toBe(expected)
  })

  it.each([
    'tomorrow',
    '2027-02-30T09:00',
    '2027-13-01T09:00',
    '2027-01-01T24:30',
    '2027-01-01',
    '',
    '2027-02-30T09:00+99:00',
    '2027-01-01T09:00:00.1234567890Z',
    '2027-01-01T09:00:00.1234567890',
  ])('“%s” is invalid', (text) => {
    expect(instantOf(text, 'UTC')).toBeNull()
  })

  it('a time zone is identified by its name only', () => {
    expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', '', '+02:00'].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
