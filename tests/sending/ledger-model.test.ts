import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ClaimedDelivery, DeliveryOutcome } from '../../server/domain/messages/delivery.ts'
import { classify } from '../../server/domain/smtp/smtp-outcome.ts'
import { openJournal, type Journal, type JournalSegment } from '../../server/mailer/queue/journal.ts'
import { readOrphanedJournals } from '../../server/mailer/queue/journal-reader.ts'
import { recoverJournal } from '../../server/mailer/queue/recovery.ts'
import { toDeliveryOutcome } from '../../server/mailer/queue/delivery-outcome.ts'
import { createDeliveryQueue } from '../../server/store/messages/delivery-queue.ts'
import { createMailboxSlots } from '../../server/store/quota/mailbox-slots.ts'
import { emptyTables } from '../support/mail-rows.ts'
import { useSending } from '../support/sending.ts'
import { soakSize } from '../support/soak.ts'
import { systemScope } from '../support/scope.ts'
import { bindScope } from '../../server/domain/auth/scope.ts'

const sending = useSending()

/** The fates of one mail: by the mail server, the network or a kill. */
const fates = [
  'taken',
  'refused',
  'later',
  'broken before',
  'broken after',
  'killed before',
  'killed between',
  'killed after',
] as const
type Fate = (typeof fates)[number]

type Step =
  | { do: 'accept'; count: number }
  | { do: 'claim'; worker: number; limit: number }
  | { do: 'send'; worker: number; fate: Fate }
  | { do: 'settle'; worker: number }
  | { do: 'lose the answer to a claim'; worker: number }
  | { do: 'kill'; worker: number }
  | { do: 'start again'; worker: number }
  | { do: 'pass time'; hours: number }

const worker = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('accept' as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('claim' as const), worker, limit: fc.integer({ min: 1, max: 5 }) }),
  { arbitrary: fc.record({ do: fc.constant('send' as const), worker, fate: fc.constantFrom(...fates) }), weight: 4 },
  fc.record({ do: fc.constant('settle' as const), worker }),
  fc.record({ do: fc.constant('lose the answer to a claim' as const), worker }),
  fc.record({ do: fc.constant('kill' as const), worker }),
  fc.record({ do: fc.constant('start again' as const), worker }),
  fc.record({ do: fc.constant('pass time' as const), hours: fc.integer({ min: 1, max: 5 }) }),
)

const limits = { perMinuteCount: null, perDayCount: null }
const replies = { taken: '250 2.0.0 OK', refused: '550 5.7.1 No', later: '450 4.2.1 Busy' }

/** The ledger, two workers on it, and a mail server that remembers accepted mails. */
class World {
  readonly queue = bindScope(createDeliveryQueue(sending.database.pool), systemScope)
  readonly slots = bindScope(createMailboxSlots(sending.database.pool), systemScope)
  /** Accepted mails per recipient: the reference for the ledger. */
  readonly takenCounts = new Map<string, number>()
  readonly workers = [new Worker(this, 'one'), new Worker(this, 'two')]
  acceptedCount = 0
  /** Mails with an unknown outcome. */
  doubtCount = 0
  readonly #mailboxId: string

  constructor(mailboxId: string) {
    this.#mailboxId = mailboxId
  }

  get mailboxId(): string {
    return this.#mailboxId
  }

  take(recipient: string): void {
    this.takenCounts.set(recipient, (this.takenCounts.get(recipient) ?? 0) + 1)
  }

  async accept(count: number): Promise<void> {
    const recipients = Array.from({ length: count }, () => `person${this.acceptedCount++}@example.com`)
    await sending.rows.addMessage(this.#mailboxId, recipients)
  }

  /** Shifts the times in the ledger into the past. */
  async passTime(hours: number): Promise<void> {
    await sending.database.pool.query(
      `update deliveries set next_attempt_at = next_attempt_at - make_interval(hours => $1)`,
      [hours],
    )
  }

  async do(step: Step): Promise<void> {
    if (step.do === 'accept') return this.accept(step.count)
    if (step.do === 'pass time') return this.passTime(step.hours)
    const one = this.workers[step.worker]!
    if (step.do === 'start again') return one.start()
    if (!one.isAlive) return
    if (step.do === 'claim') await one.claim(step.limit)
    else if (step.do === 'send') one.send(step.fate)
    else if (step.do === 'settle') await one.settle()
    else if (step.do === 'kill') one.kill()
    else await one.loseClaim()
  }

  /** Runs until every delivery is settled, without further faults. */
  async finish(): Promise<void> {
    for (const one of this.workers) {
      await one.start()
      await one.sendAll()
      await this.queue.releaseLost(one.owners(), () => one.openTokens())
    }
    await this.passTime(100)
    for (;;) {
      const [one] = this.workers
      if ((await one!.claim(100)) === 0) break
      await one!.sendAll()
    }
    for (const one of this.workers) one.end()
  }
}

interface Held {
  delivery: ClaimedDelivery
  token: string
  segment: JournalSegment
}

class Worker {
  isAlive = true
  readonly #world: World
  readonly #folder: string
  #journal: Journal
  #held: Held[] = []
  #settlements: DeliveryOutcome[] = []

  constructor(world: World, name: string) {
    this.#world = world
    this.#folder = join(sending.folder, randomUUID(), name)
    this.#journal = this.#open()
  }

  #open(): Journal {
    return openJournal({ folder: this.#folder, newId: () => randomUUID(), bootId: null, holder: randomUUID() })
  }

  owners = () => this.#journal.owners()
  openTokens = () => this.#held.map(({ token }) => token)

  async claim(limit: number): Promise<number> {
    const { queue, mailboxId } = this.#world
    const segment = this.#journal.hold()
    const token = randomUUID()
    const { rows } = await queue.writeOutcomesAndClaim(this.#settlements.splice(0), {
      workspaceId: sending.rows.workspaceId,
      mailboxId,
      owner: segment.owner,
      token,
      limit,
      limits,
      isLimited: false,
    })
    this.#held.push(...rows.map((delivery) => ({ delivery, token, segment })))
    return rows.length
  }

  /** The database committed the claim, and the connection broke before its response. */
  async loseClaim(): Promise<void> {
    const held = [...this.#held]
    await this.claim(2)
    this.#held = held
    await this.#world.queue.releaseLost(this.owners(), () => this.openTokens())
  }

  send(fate: Fate): void {
    const row = this.#held.shift()
    if (!row) return
    const { delivery, segment, token } = row
    const key = { id: delivery.id, token }
    if (fate === 'killed before') {
      this.kill()
      return
    }
    segment.intend(key)
    if (fate === 'killed between' || fate === 'broken after') this.#world.doubtCount += 1
    if (fate === 'killed between') {
      this.#world.take(delivery.recipient)
      this.kill()
      return
    }
    if (fate === 'broken before') {
      segment.withdraw(key)
      this.#settle(row, null, false)
    } else if (fate === 'broken after') {
      this.#world.take(delivery.recipient)
      this.#settle(row, null, true)
    } else {
      const reply = fate === 'killed after' ? replies.taken : replies[fate]
      if (reply === replies.taken) this.#world.take(delivery.recipient)
      segment.reply(key, reply)
      // The next entry writes the outcome; a kill may follow directly.
      segment.withdraw({ id: 0, token })
      if (fate === 'killed after') this.kill()
      else this.#settle(row, reply, true)
    }
  }

  #settle({ delivery, token }: Held, reply: string | null, isHandedOver: boolean): void {
    const outcome = classify({ phase: 'message', reply, libraryCode: null, systemCode: null, isHandedOver })
    if (outcome.kind !== 'pause') this.#settlements.push(toDeliveryOutcome({ ...delivery, token }, outcome, 0.5))
  }

  async settle(): Promise<void> {
    const settlements = this.#settlements.splice(0)
    await this.#world.queue.writeOutcomes(settlements)
    // After an outage that followed the commit, the same outcomes are written again.
    await this.#world.queue.writeOutcomes(settlements)
  }

  async sendAll(): Promise<void> {
    while (this.#held.length > 0) this.send('taken')
    await this.settle()
  }

  /** Loses its memory and keeps its journal. */
  kill(): void {
    this.isAlive = false
    this.#held = []
    this.#settlements = []
  }

  end(): void {
    this.kill()
    this.#journal.close()
  }

  async start(): Promise<void> {
    if (this.isAlive) return
    const { queue, slots } = this.#world
    for (const left of readOrphanedJournals(this.#folder, null)) {
      // Killed during recovery, and restarted.
      await recoverJournal({ ...left, remove: () => undefined }, { queue, slots, random: () => 0.5 })
      await recoverJournal(left, { queue, slots, random: () => 0.5 })
    }
    this.#journal.close()
    this.#journal = this.#open()
    this.isAlive = true
  }
}

it(
  'after any sequence of kills, faults, refusals and delays: nothing is lost, no recipient gets two, and unknown outcomes are shown',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        await emptyTables(sending.database.pool)
        await sending.database.pool.query('insert into workspaces (id, name) values ($1, $2)', [
          sending.rows.workspaceId,
          'Test',
        ])
        const world = new World(await sending.rows.addMailbox())
        await world.accept(5)
        for (const one of steps) await world.do(one)
        await world.finish()

        const facts = await sending.rows.deliveries()
        expect(facts).toHaveLength(world.acceptedCount)
        for (const { recipient, state } of facts) {
          const takenCount = world.takenCounts.get(recipient) ?? 0
          if (state === 'sent') expect(takenCount).toBe(1)
          else if (state === 'failed') expect(takenCount).toBe(0)
          else {
            expect(state).toBe('unknown')
            expect(takenCount).toBeLessThanOrEqual(1)
          }
        }
        expect(facts.filter(({ state }) => state === 'unknown').length).toBeLessThanOrEqual(world.doubtCount)
      }),
      { numRuns: soakSize(30, 2000) },
    )
  },
  soakSize(120_000, 3_600_000),
)
