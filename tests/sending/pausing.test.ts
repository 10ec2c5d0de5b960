import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { makeAddresses, useSending, wait } from '../support/sending.ts'

const sending = useSending()

/** How long after a pause a mail may still be sent. */
const effectWithinMs = 1000

/** A sink that records when each message arrived, and takes 5 ms for each. */
async function timingSink() {
  const times: number[] = []
  const sink = await sending.sinkWith({
    onMessage: async () => {
      times.push(performance.now())
      await sleep(5)
      return undefined
    },
  })
  return { sink, times }
}

describe('a pause', () => {
  it('of a mailbox takes effect within a second of its commit, and claimed deliveries are released', async () => {
    const { sink, times } = await timingSink()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(2000))
    sending.start(sink.port)
    await sink.waitFor(100)
    await sending.rows.pause(mailboxId, 'Stop', null)
    const pausedAt = performance.now()
    await expect.poll(async () => (await sending.rows.states()).sending, wait).toBeUndefined()
    const states = await sending.rows.states()
    await sleep(effectWithinMs)
    expect(Math.max(...times) - pausedAt).toBeLessThan(effectWithinMs)
    expect(states).toEqual({ sent: sink.mails.length, queued: 2000 - sink.mails.length })
    expect((await sending.rows.deliveries()).filter(({ attempts, state }) => attempts > 0 && state !== 'sent')).toEqual(
      [],
    )
    await sending.database.pool.query(`update email_configs set status = 'active'`)
    await expect.poll(() => sink.mails.length, wait).toBeGreaterThan(states.sent ?? 0)
  })

  it('of a campaign takes effect within a second, while the same mailbox’s other mail continues', async () => {
    const { sink, times } = await timingSink()
    const mailboxId = await sending.rows.addMailbox()
    const campaignId = await sending.rows.addCampaign('sending')
    await sending.rows.addMessage(mailboxId, makeAddresses(2000), { campaignId })
    const sender = sending.start(sink.port)
    await sink.waitFor(50)
    await sending.rows.setCampaign(campaignId, 'paused')
    const pausedAt = performance.now()
    await expect.poll(async () => (await sending.rows.states()).sending, wait).toBeUndefined()
    const count = sink.mails.length
    expect(Math.max(...times) - pausedAt).toBeLessThan(effectWithinMs)
    await sending.rows.addMessage(mailboxId, ['single@example.com'])
    sender.wake(sending.rows.keyOf(mailboxId))
    await sink.waitFor(count + 1)
    expect(sink.recipients().at(-1)).toBe('single@example.com')
    await sending.rows.setCampaign(campaignId, 'sending')
    sender.wake(sending.rows.keyOf(mailboxId))
    await sink.waitFor(count + 10)
    expect(new Set(sink.recipients()).size).toBe(sink.mails.length)
  })

  it('that cannot be read during a database outage is assumed: nothing is sent until the database responds', async () => {
    const { sink, times } = await timingSink()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(1000))
    let isAway = false
    const sender = sending.make(sink.port)
    const { queue } = sender.ports
    for (const name of ['listPaused', 'writeOutcomesAndClaim', 'writeOutcomes', 'listDueMailboxes'] as const) {
      const real = queue[name] as (...given: unknown[]) => Promise<never>
      Object.assign(queue, {
        [name]: (...given: unknown[]) => (isAway ? Promise.reject(new Error('away')) : real(...given)),
      })
    }
    sender.start()
    await sink.waitFor(100)
    isAway = true
    const awaySince = performance.now()
    await expect.poll(() => sender.logged(), wait).toContain('nothing is sent meanwhile')
    await sleep(1500)
    expect(Math.max(...times) - awaySince).toBeLessThan(effectWithinMs)
    isAway = false
    sender.skipMs(60_000)
    await sending.untilStates({ sent: 1000 })
    expect(new Set(sink.recipients()).size).toBe(1000)
  })
})
