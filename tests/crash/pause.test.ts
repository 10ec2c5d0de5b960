import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeAddresses } from '../support/sending.ts'
import { soakSize, printInSoak } from '../support/soak.ts'
import { prepareTwoWorkers } from '../support/two-workers.ts'

const recipientCount = soakSize(2000, 100_000)
const pauseCount = soakSize(2, 20)
/** How long after its commit a mail may still be sent. */
const effectWithinMs = 1000
const patience = { timeout: soakSize(60_000, 1_800_000), interval: 20 }

it(
  'a pause during a send by two workers takes effect in both within a second, and loses nothing',
  async () => {
    const times: number[] = []
    await using two = await prepareTwoWorkers(
      {
        onMessage: async () => {
          times.push(performance.now())
          await sleep(2)
          return undefined
        },
      },
      { limit_connections: 10 },
    )
    const { database, rows, sink, mailboxId } = two
    await rows.addMessage(mailboxId, makeAddresses(recipientCount))
    await two.start()
    const late: number[] = []
    for (let pause = 1; pause <= pauseCount; pause++) {
      await sink.waitFor(Math.floor((pause * recipientCount) / (pauseCount + 2)))
      await rows.pause(mailboxId, 'Stop', null)
      const pausedAt = performance.now()
      // A claim that began before the pause may still commit.
      await sleep(effectWithinMs)
      await expect.poll(async () => (await rows.states()).sending ?? 0, patience).toBe(0)
      late.push(Math.max(...times.slice(-1000)) - pausedAt)
      const { sent = 0 } = await rows.states()
      expect(sink.mails).toHaveLength(sent)
      await database.pool.query(`update email_configs set status = 'active', pause_reason = null where id = $1`, [
        mailboxId,
      ])
    }
    printInSoak(
      `${pauseCount} pauses in ${recipientCount} recipients: last mail at most ${Math.max(...late).toFixed(0)} ms after`,
    )
    expect(Math.max(...late)).toBeLessThan(effectWithinMs)
    await expect.poll(() => rows.states(), patience).toEqual({ sent: recipientCount })
    expect(new Set(sink.recipients()).size).toBe(recipientCount)
    expect(sink.mails).toHaveLength(recipientCount)
  },
  soakSize(180_000, 2_400_000),
)
