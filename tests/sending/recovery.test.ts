import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ClaimedDelivery } from '../../server/domain/messages/delivery.ts'
import { readOrphanedJournals } from '../../server/mailer/queue/journal-reader.ts'
import { openJournal, type JournalSegment } from '../../server/mailer/queue/journal.ts'
import { recoverJournal } from '../../server/mailer/queue/recovery.ts'
import { createDeliveryQueue } from '../../server/store/messages/delivery-queue.ts'
import { createMailboxSlots } from '../../server/store/quota/mailbox-slots.ts'
import { makeAddresses, useSending, wait } from '../support/sending.ts'
import { systemScope } from '../support/scope.ts'
import type { DeliveryQueue } from '../support/test-sender.ts'
import { bindScope } from '../../server/domain/auth/scope.ts'

const sending = useSending()
let queue: DeliveryQueue

beforeEach(() => {
  queue = bindScope(createDeliveryQueue(sending.database.pool), systemScope)
})

/** Leaves the state of a sender that was killed after `write`. */
async function die(
  count: number,
  write: (segment: JournalSegment, key: (at: number) => { id: number; token: string }) => void,
  bootId: string | null = null,
): Promise<ClaimedDelivery[]> {
  const mailboxId = await sending.rows.addMailbox()
  await sending.rows.addMessage(mailboxId, makeAddresses(count))
  const journal = openJournal({ folder: sending.folder, newId: () => randomUUID(), bootId, holder: randomUUID() })
  const segment = journal.hold()
  const token = randomUUID()
  const limits = { perMinuteCount: null, perDayCount: null }
  const { owner } = segment
  const { rows: claimed } = await queue.writeOutcomesAndClaim([], {
    workspaceId: sending.rows.workspaceId,
    mailboxId,
    owner,
    token,
    limit: count,
    limits,
    isLimited: false,
  })
  write(segment, (at) => ({ id: claimed[at]?.id ?? 0, token }))
  journal.close()
  return claimed
}

const ports = () => ({
  queue,
  slots: bindScope(createMailboxSlots(sending.database.pool), systemScope),
  random: () => 0.5,
})

async function recover(bootId: string | null = null) {
  const counts = []
  for (const left of readOrphanedJournals(sending.folder, bootId)) counts.push(await recoverJournal(left, ports()))
  return counts
}

const facts = async () =>
  (await sending.rows.deliveries()).map(({ state, reply, attempts }) => [state, reply, attempts])

describe('the journal of a killed process', () => {
  it('settles deliveries by their reply, as unknown without one, and as queued where sending had not begun', async () => {
    await die(6, (segment, key) => {
      for (const at of [1, 2, 3, 4]) segment.intend(key(at))
      segment.reply(key(1), '250 2.0.0 OK')
      segment.reply(key(2), '450 4.2.1 Busy')
      segment.reply(key(5), '550 5.1.1 No such user')
      segment.withdraw(key(3))
    })
    expect(await recover()).toEqual([{ queued: 2, sent: 1, deferred: 1, failed: 1, unknown: 1 }])
    expect(await facts()).toEqual([
      ['queued', null, 0],
      ['sent', '250 2.0.0 OK', 1],
      ['deferred', '450 4.2.1 Busy', 1],
      ['queued', null, 0],
      ['unknown', 'The server stopped between the message and the mail server’s answer', 1],
      ['failed', '550 5.1.1 No such user', 1],
    ])
    expect(await readdir(sending.folder)).toEqual([])
  })

  it('is applied once, also when the recovery itself is killed before it removes the journal', async () => {
    await die(3, (segment, key) => {
      segment.intend(key(0))
      segment.intend(key(1))
      segment.reply(key(1), '250 OK')
    })
    const [left] = readOrphanedJournals(sending.folder, null)
    await recoverJournal({ ...left!, remove: () => {} }, ports())
    const before = await facts()
    // Meanwhile a sender of another process claims the released row.
    const [again] = await sending.rows.deliveries().then((all) => all.filter(({ state }) => state === 'queued'))
    await sending.database.pool.query(
      `update deliveries set state = 'sending', lease_owner = gen_random_uuid(), lease_token = gen_random_uuid() where id = $1`,
      [again?.id],
    )
    expect(await recover()).toEqual([{}])
    expect(before.map(([state]) => state)).toEqual(['unknown', 'sent', 'queued'])
    expect((await facts()).map(([state]) => state)).toEqual(['unknown', 'sent', 'sending'])
    expect(await readdir(sending.folder)).toEqual([])
  })

  it('is applied to rows whose claim committed after the process had been killed', async () => {
    const sink = await sending.sinkWith()
    const journalFolder = join(sending.folder, 'journal')
    const journal = openJournal({
      folder: journalFolder,
      newId: () => randomUUID(),
      bootId: null,
      holder: randomUUID(),
    })
    const { owner } = journal.hold()
    journal.close()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.pause(mailboxId, 'Not yet', null)
    await sending.rows.addMessage(mailboxId, makeAddresses(3))
    const sender = sending.start(sink.port)
    await expect.poll(() => sender.isReady(), wait).toBe(true)
    await sending.database.pool.query(
      `update deliveries set state = 'sending', lease_owner = $1, lease_token = gen_random_uuid(), leased_at = now()`,
      [owner],
    )
    await sending.database.pool.query(`update email_configs set status = 'active'`)
    sender.skipMs(11_000)
    await sending.untilStates({ sent: 3 })
    expect(await readdir(journalFolder)).toContain(`${owner}.journal`)
    sender.skipMs(61_000)
    await expect.poll(() => readdir(journalFolder), wait).not.toContain(`${owner}.journal`)
  })

  it('is kept while the database is unreachable', async () => {
    await die(1, (segment, key) => segment.intend(key(0)))
    const [left] = readOrphanedJournals(sending.folder, null)
    const away = {
      listLeased: (owner: string) => queue.listLeased(owner),
      writeOutcomes: () => Promise.reject(new Error('away')),
    }
    await expect(recoverJournal(left!, { ...ports(), queue: away })).rejects.toThrow('away')
    expect(await readdir(sending.folder)).toHaveLength(1)
    await recover()
    expect(await facts()).toMatchObject([['unknown', expect.anything(), 1]])
  })

  it('does not apply an entry of an earlier claim to a later one', async () => {
    const [row] = await die(1, (segment, key) => {
      const earlier = { id: key(0).id, token: randomUUID() }
      segment.intend(earlier)
      segment.reply(earlier, '250 OK')
    })
    await recover()
    expect(await sending.rows.deliveries()).toMatchObject([{ id: row?.id, state: 'queued' }])
  })

  it('pauses a mailbox with its next message', async () => {
    await die(1, (segment, key) => segment.reply(key(0), '550 5.4.5 Daily limit'))
    await recover()
    expect(await facts()).toEqual([['queued', null, 0]])
  })

  it('after a machine crash, rows missing in the journal are unknown', async () => {
    await die(
      3,
      (segment, key) => {
        segment.intend(key(0))
        segment.reply(key(0), '250 OK')
        segment.intend(key(1))
      },
      'boot-1',
    )
    await recover('boot-2')
    expect((await facts()).map(([state]) => state)).toEqual(['sent', 'unknown', 'unknown'])
  })
})
