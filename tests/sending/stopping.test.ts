import { readdir } from 'node:fs/promises'
import { describe, expect, inject, it } from 'vitest'
import { openDatabase } from '../../server/store/core/database.ts'
import { makeAddresses, useSending, wait } from '../support/sending.ts'
import type { SinkOptions } from '../support/smtp-sink.ts'

const sending = useSending()

describe('stopping', () => {
  it('completes deliveries in flight, sends nothing more, and leaves no journal', async () => {
    const answers: (() => void)[] = []
    const sink = await sending.sinkWith({
      onMessage: () => new Promise((resolve) => answers.push(() => resolve(undefined))),
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(50))
    const sender = sending.start(sink.port)
    await expect.poll(() => answers.length, wait).toBe(3)
    const stopping = sender.stop()
    for (const answer of answers) answer()
    await stopping
    expect(await sending.rows.states()).toEqual({ sent: 3, queued: 47 })
    expect(sink.mails).toHaveLength(3)
    expect(await readdir(sender.journalFolder)).toEqual([])
    await expect.poll(() => sink.openConnectionCount, wait).toBe(0)
  })

  it('does not wait for a connection that is being opened', async () => {
    const sink = await sending.sinkWith({ onConnect: () => new Promise(() => {}) })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(3))
    const sender = sending.start(sink.port)
    await expect.poll(() => sink.connectionCount, wait).toBe(1)
    await sender.stop()
    expect(await sending.rows.states()).toEqual({ queued: 3 })
    expect((await sending.rows.deliveries()).every(({ attempts }) => attempts === 0)).toBe(true)
  })

  it('aborts deliveries after the grace period, and settles them by their known state', async () => {
    const hung = hangingSink()
    const sink = await sending.sinkWith(hung.options)
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(10))
    const sender = sending.start(sink.port)
    await expect.poll(hung.count, wait).toBe(3)
    await sender.stop(100)
    expect(await sending.rows.states()).toEqual({ unknown: 3, queued: 7 })
    expect(await readdir(sender.journalFolder)).toEqual([])
  })

  it('exits at once at the second signal; the next start settles the deliveries in flight', async () => {
    const hung = hangingSink()
    const sink = await sending.sinkWith(hung.options)
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(1))
    const sender = sending.make(sink.port)
    // The database is unreachable from here on.
    sender.ports.queue.writeOutcomes = () => Promise.reject(new Error('away'))
    sender.start()
    await expect.poll(hung.count, wait).toBe(1)
    const stopping = sender.stop(60_000)
    await sender.stop()
    await stopping
    expect((await sending.rows.deliveries()).map(({ state }) => state)).toEqual(['sending'])
    expect(await readdir(sender.journalFolder)).toHaveLength(1)
    sending.start(sink.port)
    await sending.untilStates({ unknown: 1 })
    expect(hung.count()).toBe(1)
  })

  it('before the first start does nothing', async () => {
    await sending.make(null).stop()
  })
})

describe('a database outage', () => {
  it('ends, and the deliveries in flight are settled then; no recipient gets two', async () => {
    const answers: (() => void)[] = []
    const sink = await sending.sinkWith({
      onMessage: () =>
        answers.length < 3 ? new Promise((resolve) => answers.push(() => resolve(undefined))) : undefined,
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(40))
    const sender = sending.start(sink.port)
    await expect.poll(() => answers.length, wait).toBe(3)
    const outage = await stopDatabase()
    await expect.poll(() => sender.isReady(), wait).toBe(false)
    for (const answer of answers) answer()
    await expect.poll(() => sender.logged(), wait).toContain('could not be written')
    await outage.end()
    await sending.untilStates({ sent: 40 })
    expect(sink.recipients().sort()).toEqual(makeAddresses(40).sort())
    await expect.poll(() => sender.isReady(), wait).toBe(true)
  })

  it('directly after a claim: rows whose claim got no response are released and sent once', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(10))
    let lostCount = 0
    const sender = sending.make(sink.port)
    const { writeOutcomesAndClaim } = sender.ports.queue
    sender.ports.queue.writeOutcomesAndClaim = async (settlements, claim) => {
      const claimed = await writeOutcomesAndClaim(settlements, claim)
      if (lostCount === 0 && claimed.rows.length > 0) {
        lostCount = claimed.rows.length
        throw new Error('Connection terminated unexpectedly')
      }
      return claimed
    }
    sender.start()
    await expect.poll(() => lostCount, wait).toBe(5)
    // Much less than the ten seconds between two scans for lost claims.
    sender.skipMs(1500)
    await sending.untilStates({ sent: 10 })
    expect(sink.recipients().sort()).toEqual(makeAddresses(10).sort())
  })
})

describe('a backoff that ended', () => {
  it('of the database does not lengthen the next one', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(1))
    let awayCount = 0
    const sender = sending.make(sink.port)
    const { open } = sender.ports.mailboxes
    sender.ports.mailboxes.open = (id) => {
      if (awayCount === troubleCount) return open(id)
      awayCount += 1
      return Promise.reject(Object.assign(new Error('the database system is starting up'), { code: '57P03' }))
    }
    sender.start()
    for (let count = 1; count <= troubleCount; count++) {
      await expect.poll(() => awayCount, wait).toBeGreaterThanOrEqual(count)
      sender.skipMs(1100)
      sender.wake(sending.rows.keyOf(mailboxId))
    }
    await sending.untilStates({ sent: 1 })
  })

  it('of a mail server resets once it has accepted a mail', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    let isReachable = false
    const sender = sending.start(() => (isReachable ? sink.port : 1))
    for (let count = 1; count <= troubleCount; count++) {
      isReachable = false
      sink.hangUp()
      await sending.rows.addMessage(mailboxId, [`deferred${count}@example.com`])
      sender.wake(sending.rows.keyOf(mailboxId))
      await expect.poll(async () => (await sending.rows.states()).deferred, wait).toBe(count)
      isReachable = true
      sender.skipMs(1100)
      await sending.rows.addMessage(mailboxId, [`sent${count}@example.com`])
      sender.wake(sending.rows.keyOf(mailboxId))
      await sending.untilStates({ sent: count, deferred: count })
    }
  })
})

/** So often that doubled waits would exceed the timeout of the test. */
const troubleCount = 8

/** A server that accepts messages and never replies; `count` is the number of messages received. */
function hangingSink(): { options: SinkOptions; count: () => number } {
  let count = 0
  const onMessage = () => {
    count += 1
    return new Promise<undefined>(() => {})
  }
  return { options: { onMessage }, count: () => count }
}

/** Takes the database off the network, as a restart does: open connections end, new ones fail. */
async function stopDatabase(): Promise<{ end: () => Promise<void> }> {
  const { rows: named } = await sending.database.pool.query<{ name: string }>('select current_database() as name')
  const name = named[0]?.name ?? ''
  const admin = openDatabase(inject('postgres').connection, () => {})
  await admin.pool.query(`alter database ${name} allow_connections false`)
  await admin.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [name],
  )
  return {
    async end() {
      await admin.pool.query(`alter database ${name} allow_connections true`)
      await admin.close()
    },
  }
}
