import { describe, expect, it } from 'vitest'
import { makeAddresses, useSending, wait } from '../support/sending.ts'
import { openJournal } from '../../server/mailer/queue/journal.ts'
import type { MailboxLimits } from '../../server/mailer/smtp/providers.ts'
import { testLimits, testMailbox } from '../support/test-sender.ts'

const sending = useSending()
const limited = (port: number, given: Partial<MailboxLimits>) =>
  testMailbox(port, { limits: { ...testLimits, ...given } })
const age = (seconds: number) =>
  sending.database.pool.query('update mailbox_usage set bucket_at = bucket_at - make_interval(secs => $1)', [seconds])
const holder = '0b0e5f4e-6f3e-4a51-8a39-25c9b7a6a001'
const journalOf = (name: string) => ({ folder: `${sending.folder}/${name}`, bootId: null })

describe('the quota of a mailbox', () => {
  it('is respected by senders of two processes together, and the rest continues after the window', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(50))
    const mailbox = limited(sink.port, { perMinuteCount: 20 })
    const [one, other] = [sending.make(mailbox), sending.make(mailbox, { journal: journalOf('other') })]
    one.start()
    other.start()
    await sending.untilStates({ sent: 20, queued: 30 })
    // A second round of both finds nothing to claim.
    const before = sink.mails.length
    one.wake()
    other.wake()
    await expect.poll(() => one.isReady() && other.isReady(), wait).toBe(true)
    await age(30)
    expect([before, sink.mails.length]).toEqual([20, 20])
    await age(31)
    one.skipMs(61_000)
    other.skipMs(61_000)
    await sending.untilStates({ sent: 40, queued: 10 })
    expect(new Set(sink.recipients()).size).toBe(40)
  })

  it('of a day that is exhausted ends its worker, and does not delay another mailbox', async () => {
    const sink = await sending.sinkWith()
    const [short, long] = [await sending.rows.addMailbox(), await sending.rows.addMailbox()]
    await sending.rows.addMessage(short, makeAddresses(5))
    await sending.rows.addMessage(long, makeAddresses(5))
    sending.start((mailboxId) => (mailboxId === short ? limited(sink.port, { perDayCount: 2 }) : sink.port), {
      workersMaxCount: 1,
    })
    await sending.untilStates({ sent: 7, queued: 3 })
  })

  it('does not count mail that never reached the mail server', async () => {
    const sink = await sending.sinkWith({ onLogin: () => '454 4.7.0 Not now' })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(5))
    sending.start(limited(sink.port, { perDayCount: 5 }))
    await sending.untilStates({ deferred: 5 })
    const { rows } = await sending.database.pool.query('select from mailbox_usage')
    expect(rows).toHaveLength(0)
  })
})

describe('new limits while mail waits', () => {
  const own = (mailboxId: string, column: string, value: number | null) =>
    sending.database.pool.query(`update email_configs set ${column} = $2 where id = $1`, [mailboxId, value])

  /** A sender whose scans for due mail, one a second, stop at `hold` and continue one by one with `scanOnce`. */
  async function startStepped(port: number) {
    let isHeld = false
    let release: (() => void) | null = null
    const { queue } = sending.make(port).ports
    const listDueMailboxes = async () => {
      if (isHeld) await new Promise<void>((resolve) => (release = resolve))
      return queue.listDueMailboxes()
    }
    const sender = sending.start(port, { queue: { ...queue, listDueMailboxes } })
    await expect.poll(() => sender.isReady(), wait).toBe(true)
    const untilHeld = () => expect.poll(() => release !== null, wait).toBe(true)
    return {
      hold: async () => {
        isHeld = true
        await untilHeld()
      },
      scanOnce: async () => {
        await untilHeld()
        release?.()
        release = null
      },
      /** Lets the sender stop. */
      proceed: () => {
        isHeld = false
        release?.()
      },
    }
  }

  it('release the rest at the next scan, in a process without a notification', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await own(mailboxId, 'limit_per_day', 5)
    await sending.rows.addMessage(mailboxId, makeAddresses(20))
    const { hold, scanOnce, proceed } = await startStepped(sink.port)
    await sending.untilStates({ sent: 5, queued: 15 })
    await hold()
    await own(mailboxId, 'limit_per_day', 12)
    await scanOnce()
    await sending.untilStates({ sent: 12, queued: 8 })
    await own(mailboxId, 'limit_per_day', null)
    await scanOnce()
    await sending.untilStates({ sent: 20 })
    expect(new Set(sink.recipients()).size).toBe(20)
    proceed()
  })

  it('reach a worker that keeps its connections while it waits for the next minute, at the next scan', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await own(mailboxId, 'limit_per_minute', 5)
    await sending.rows.addMessage(mailboxId, makeAddresses(20))
    const { hold, scanOnce, proceed } = await startStepped(sink.port)
    await sending.untilStates({ sent: 5, queued: 15 })
    await hold()
    // Free in fifteen seconds: too soon to close the connections.
    await age(46)
    await own(mailboxId, 'limit_per_minute', 20)
    await scanOnce()
    await sending.untilStates({ sent: 20 })
    proceed()
  })

  it('open more connections for the current mail', async () => {
    const sink = await sending.sinkWith({ onMessage: () => new Promise((resolve) => setTimeout(resolve, 20)) })
    const mailboxId = await sending.rows.addMailbox()
    await own(mailboxId, 'limit_connections', 1)
    await sending.rows.addMessage(mailboxId, makeAddresses(400))
    sending.start(sink.port)
    await sink.waitFor(10)
    expect(sink.peakConnectionCount).toBe(1)
    await own(mailboxId, 'limit_connections', 4)
    await sending.untilStates({ sent: 400 })
    expect(sink.peakConnectionCount).toBe(4)
    expect(new Set(sink.recipients()).size).toBe(400)
  })
})

describe("new limits between the sender's start and its first scan", () => {
  /** A sender that scans for due mail only while the gate is open; workers start when they are notified. */
  async function startGated(port: number) {
    let gate: Promise<void> = Promise.resolve()
    let open = () => {}
    const { queue } = sending.make(port).ports
    const listDueMailboxes = async () => {
      await gate
      return queue.listDueMailboxes()
    }
    const sender = sending.make(port, { queue: { ...queue, listDueMailboxes } })
    sender.start()
    await expect.poll(() => sender.isReady(), wait).toBe(true)
    gate = new Promise((resolve) => (open = resolve))
    return { sender, open }
  }
  const own = (mailboxId: string, column: string, value: number) =>
    sending.database.pool.query(`update email_configs set ${column} = $2 where id = $1`, [mailboxId, value])

  it('open more connections for the current mail', async () => {
    const sink = await sending.sinkWith({ onMessage: () => new Promise((resolve) => setTimeout(resolve, 20)) })
    const { sender, open } = await startGated(sink.port)
    const mailboxId = await sending.rows.addMailbox()
    await own(mailboxId, 'limit_connections', 1)
    await sending.rows.addMessage(mailboxId, makeAddresses(400))
    sender.wake(sending.rows.keyOf(mailboxId))
    await sink.waitFor(10)
    await own(mailboxId, 'limit_connections', 4)
    open()
    await sending.untilStates({ sent: 400 })
    expect(sink.peakConnectionCount).toBe(4)
    expect(new Set(sink.recipients()).size).toBe(400)
  })
})

describe('the connections of a mailbox', () => {
  it('are shared by senders of two processes, and released when one stops', async () => {
    const sink = await sending.sinkWith({ onMessage: () => new Promise((resolve) => setTimeout(resolve, 5)) })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(200))
    const mailbox = limited(sink.port, { connectionCount: 2 })
    const [one, other] = [sending.make(mailbox), sending.make(mailbox, { journal: journalOf('other') })]
    one.start()
    await sink.waitFor(5)
    other.start()
    await sink.waitFor(30)
    await one.stop()
    other.skipMs(60_000)
    await sending.untilStates({ sent: 200 })
    expect(sink.peakConnectionCount).toBeLessThanOrEqual(2)
    expect(sink.connectionCount).toBeGreaterThan(2)
    expect(new Set(sink.recipients()).size).toBe(200)
  })

  it('of a killed sender are released by the next one', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    const killed = sending.make(limited(sink.port, { connectionCount: 1 }))
    // It was killed directly after it had acquired them: its journal contains them.
    const journal = openJournal({ folder: killed.journalFolder, newId: killed.ports.newId, holder, bootId: null })
    journal.hold()
    journal.close()
    const { workspaceId } = sending.rows
    await killed.ports.slots.acquire({ workspaceId, mailboxId, holder, wantedCount: 1, limitCount: 1 })
    await sending.rows.addMessage(mailboxId, makeAddresses(3))
    sending.start(limited(sink.port, { connectionCount: 1 }))
    await sending.untilStates({ sent: 3 })
  })
})
