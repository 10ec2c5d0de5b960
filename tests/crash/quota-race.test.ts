import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { makeAddresses } from '../support/sending.ts'
import { soakSize, printInSoak } from '../support/soak.ts'
import { prepareTwoWorkers } from '../support/two-workers.ts'

const limitCount = soakSize(40, 3000)
const windowMs = 60_000
const recipientCount = soakSize(100, 10_000)
const patience = { timeout: soakSize(60_000, 900_000), interval: 100 }

it(
  'two workers that share a mailbox’s quota never exceed it in any window of a minute',
  async () => {
    const times: number[] = []
    await using two = await prepareTwoWorkers(
      { onMessage: () => void times.push(performance.now()) },
      { limit_connections: 10, limit_per_minute: limitCount },
    )
    const { database, rows, sink, mailboxId } = two
    await rows.addMessage(mailboxId, makeAddresses(recipientCount))
    await two.start()
    await expect.poll(() => sink.mails.length, patience).toBeGreaterThanOrEqual(soakSize(limitCount, recipientCount))
    // Both have released their connections: nothing more is sent in this minute.
    const heldCount = async () => (await database.pool.query('select from mailbox_slots where count > 0')).rowCount
    await expect.poll(heldCount, patience).toBe(0)
    times.sort((a, b) => a - b)
    const mostCount = Math.max(...times.map((from, at) => times.findLastIndex((to) => to - from < windowMs) - at + 1))
    printInSoak(
      `quota ${limitCount} a minute, ${times.length} mails by two workers: at most ${mostCount} in any minute`,
    )
    expect(mostCount).toBe(limitCount)
    expect(new Set(sink.recipients()).size).toBe(sink.mails.length)
  },
  soakSize(120_000, 1_200_000),
)
