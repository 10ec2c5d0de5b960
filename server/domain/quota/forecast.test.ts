import { describe, expect, it } from 'vitest'
import { createMailboxAllocator, sendTimeMs, type MailboxBudget } from './forecast.ts'

const now = Date.UTC(2027, 0, 1)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const windowMs = 24 * hourMs + 5 * minuteMs
const budget = (changes: Partial<MailboxBudget> = {}): MailboxBudget => ({
  mailboxId: 'a',
  perMinuteCount: null,
  perDayCount: null,
  used: [],
  aheadCount: 0,
  ...changes,
})
const after = (of: MailboxBudget, n: number) => sendTimeMs(of, n, now) - now

describe('the estimated send time', () => {
  it('is now within today’s quota, and a window later beyond it', () => {
    const gmail = budget({ perDayCount: 450 })
    expect(after(gmail, 1)).toBe(0)
    expect(after(gmail, 450)).toBeLessThan(5 * minuteMs)
    expect(after(gmail, 451)).toBe(windowMs)
    expect(after(gmail, 900)).toBe(windowMs)
    expect(after(gmail, 2251)).toBe(5 * windowMs)
  })

  it("waits until today's usage leaves the window, oldest first", () => {
    const half = budget({
      perDayCount: 100,
      used: [
        { freeAtMs: now + hourMs, count: 60 },
        { freeAtMs: now + 3 * hourMs, count: 30 },
      ],
    })
    expect(after(half, 10)).toBeLessThan(minuteMs)
    expect(after(half, 11)).toBe(hourMs)
    expect(after(half, 70)).toBe(hourMs)
    expect(after(half, 71)).toBe(3 * hourMs)
    expect(after(half, 100)).toBe(3 * hourMs)
    // A day after the first ten.
    expect(after(half, 101)).toBe(windowMs)
    expect(after(half, 111)).toBe(windowMs + hourMs)
  })

  it('respects the limit per minute', () => {
    const slow = budget({ perMinuteCount: 30 })
    expect(after(slow, 30)).toBe(0)
    expect(after(slow, 31)).toBe(minuteMs)
    expect(after(slow, 301)).toBe(10 * minuteMs)
  })

  it('is five mails in a second without a limit', () => {
    expect([1, 2, 6, 11].map((n) => after(budget(), n))).toEqual([0, 200, 1000, 2000])
  })

  it('is computed quickly for a million recipients', () => {
    expect(after(budget({ perDayCount: 450 }), 1_000_000)).toBe(2222 * windowMs)
  })
})

describe('the allocation of recipients', () => {
  const deal = (budgets: MailboxBudget[], count: number) => {
    const next = createMailboxAllocator(budgets, now)
    const dealt = new Map<string, number>()
    for (let at = 0; at < count; at++) {
      const mailboxId = next()
      dealt.set(mailboxId, (dealt.get(mailboxId) ?? 0) + 1)
    }
    return Object.fromEntries(dealt)
  }

  it('uses the rest of each budget before any recipient has to wait for tomorrow', () => {
    const used = [{ freeAtMs: now + hourMs, count: 350 }]
    const budgets = [budget({ perDayCount: 450, used }), budget({ mailboxId: 'b', perDayCount: 450 })]
    expect(deal(budgets, 550)).toEqual({ a: 100, b: 450 })
  })

  it('allocates nothing to a mailbox with a backlog while another is free', () => {
    const budgets = [budget({ perMinuteCount: 30, aheadCount: 3000 }), budget({ mailboxId: 'b', perMinuteCount: 30 })]
    expect(deal(budgets, 300)).toEqual({ b: 300 })
  })

  it('is even among equals', () => {
    expect(deal([budget(), budget({ mailboxId: 'b' })], 100)).toEqual({ a: 50, b: 50 })
  })
})
