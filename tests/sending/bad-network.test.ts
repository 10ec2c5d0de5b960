import { describe, expect, it } from 'vitest'
import { startFaultProxy, type Fault } from '../support/fault-proxy.ts'
import { makeAddresses, useSending, wait } from '../support/sending.ts'

const sending = useSending()
const recipientCount = 60

/** Faults of the first connections; later ones work. */
const networks: Record<string, Fault[]> = {
  'that is slow and cuts everything into single bytes': [{ pieceBytes: 1 }, { delayMs: 5, pieceBytes: 7 }],
  'that resets connections, each somewhere else': [150, 420, 700, 1100, 1900, 2600].map((clientBytes) => ({
    after: { clientBytes, how: 'reset' },
  })),
  'that closes one side, each somewhere else': [200, 500, 900, 1300].map((clientBytes) => ({
    after: { clientBytes, how: 'half-close' },
  })),
}

describe('over a network', () => {
  it.each(Object.keys(networks))(
    '%s no recipient gets two, no recipient is lost, and unknown outcomes are shown',
    async (name) => {
      const faults = networks[name] ?? []
      const sink = await sending.sinkWith()
      await using proxy = await startFaultProxy(sink.port, (nth) => faults[nth] ?? {})
      const mailboxId = await sending.rows.addMailbox()
      await sending.rows.addMessage(mailboxId, makeAddresses(recipientCount))
      const sender = sending.start(proxy.port)
      // A delivery whose connection broke before the message waits a minute: advance the clock repeatedly.
      const isDone = async () => {
        await sending.database.pool.query(`update deliveries set next_attempt_at = now() where state = 'deferred'`)
        sender.skipMs(60_000)
        sender.wake()
        const { sent = 0, unknown = 0 } = await sending.rows.states()
        return sent + unknown
      }
      await expect.poll(isDone, { ...wait, interval: 100 }).toBe(recipientCount)
      await sender.stop()
      const facts = await sending.rows.deliveries()
      const times = Map.groupBy(sink.recipients(), (recipient) => recipient)
      const wrong = facts.filter(({ recipient, state }) => {
        const count = times.get(recipient)?.length ?? 0
        return state === 'sent' ? count !== 1 : count > 1
      })
      expect(wrong).toEqual([])
      expect(facts.filter(({ state }) => state === 'unknown').length).toBeLessThanOrEqual(faults.length)
    },
  )
})

describe('clock changes', () => {
  it('neither delay nor repeat a mail: due times follow the database’s clock', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(50))
    let turn = 0
    sending.start(sink.port, {
      clock: () => new Date(Date.now() + ((turn += 1) % 2 === 0 ? 1 : -1) * 400 * 86_400_000),
    })
    await sending.untilStates({ sent: 50 })
    expect(sink.recipients().sort()).toEqual(makeAddresses(50).sort())
  })
})
