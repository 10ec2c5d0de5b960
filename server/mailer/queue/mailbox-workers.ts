import { errorFacts } from '../../domain/core/serialize-error.ts'
import { createHalts, type Halts } from './pause-monitor.ts'
import { Lane, type LaneEnd, type LanePorts } from './mailbox-worker.ts'
import type { SenderPorts } from './sender-ports.ts'

interface LanesPorts extends Omit<LanePorts, 'isWanted' | 'halts'>, Pick<SenderPorts, 'queue'> {
  /** A lane has ended while mailboxes waited for one. */
  onRoom: () => void
  lanesMaxCount?: number
}

const lanesDefaultCount = 500
const backoffMinMs = 1000
const backoffMaxMs = 60_000
/** A quota is looked at again after this long at the latest, whatever is known of it. */
const waitMaxMs = 60_000

/** The lanes of all mailboxes that have something to send: each its own, so that none waits for another. */
export class Lanes {
  readonly #ports: LanesPorts
  readonly #halts: Halts
  readonly #lanes = new Map<string, Lane>()
  /** Mailboxes that are not to be tried before an instant; after trouble later each time. */
  readonly #waits = new Map<string, { waitMs: number; untilMs: number; ownLimits: string | null }>()
  /** When a mailbox last gave up its lane, for those that have more to send. */
  readonly #lastTurnMs = new Map<string, number>()
  readonly #wanting = new Set<string>()
  /** Whose lanes end so that others begin with what their owners have set meanwhile. */
  readonly #anew = new Set<string>()
  #isStopping = false

  constructor(ports: LanesPorts) {
    this.#ports = ports
    this.#halts = createHalts({
      ...ports,
      held: () => this.#held(),
      onLook: (halted) => {
        for (const lane of this.#lanes.values()) {
          lane.work.dropHalted(halted)
          lane.wake()
        }
      },
      recheck: (mailboxIds) =>
        Promise.all(mailboxIds.flatMap((mailboxId) => this.#lanes.get(mailboxId)?.work.recheck() ?? [])),
    })
  }

  /**
   * The limits that the owners of due mailboxes have set, as they stand now. Where a lane began under others, nobody waits
   * for those any more, and connections are counted anew.
   */
  heed(limits: ReadonlyMap<string, string>): void {
    for (const [mailboxId, own] of limits) {
      const isOld = (known: { ownLimits: string | null } | undefined) =>
        typeof known?.ownLimits === 'string' && known.ownLimits !== own
      if (isOld(this.#waits.get(mailboxId))) this.#waits.delete(mailboxId)
      const lane = this.#lanes.get(mailboxId)
      if (!lane || !isOld(lane)) continue
      this.#anew.add(mailboxId)
      lane.stop()
    }
  }

  /** These mailboxes may have something due. Who has waited longest comes first. */
  attend(mailboxIds: readonly string[]): void {
    if (this.#isStopping) return
    const turn = (mailboxId: string) => this.#lastTurnMs.get(mailboxId) ?? 0
    for (const mailboxId of mailboxIds.toSorted((a, b) => turn(a) - turn(b))) {
      const lane = this.#lanes.get(mailboxId)
      if (lane) lane.poke()
      else if (!this.#isWaiting(mailboxId)) this.#begin(mailboxId)
    }
  }

  /** Keeps the connections of the lanes counted as theirs. To be called every few seconds. */
  async renewSlots(): Promise<void> {
    const lanes = [...this.#lanes.values()].filter(({ hasSlots }) => hasSlots)
    if (lanes.length === 0) return
    const mailboxIds = lanes.map(({ mailboxId }) => mailboxId)
    const kept = new Set(await this.#ports.slots.renew(this.#ports.holder, mailboxIds))
    for (const lane of lanes) {
      if (kept.has(lane.mailboxId) || !lane.hasSlots) continue
      this.#ports.log.warn({ config: lane.mailboxId }, 'Connections were not kept in time and belong to others now')
      lane.loseSlots()
    }
  }

  /** Resolves when every lane has finished its messages. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const lane of this.#lanes.values()) lane.stop()
    await Promise.all([...this.#lanes.values()].map((lane) => lane.done))
    this.#halts.stop()
  }

  abort(): void {
    this.#isStopping = true
    for (const lane of this.#lanes.values()) lane.abort()
  }

  #begin(mailboxId: string): void {
    if (this.#lanes.size >= (this.#ports.lanesMaxCount ?? lanesDefaultCount)) {
      this.#wanting.add(mailboxId)
      for (const lane of this.#lanes.values()) {
        if (lane.isResting) lane.stop()
      }
      return
    }
    this.#wanting.delete(mailboxId)
    const lane = new Lane(mailboxId, { ...this.#ports, halts: this.#halts, isWanted: () => this.#wanting.size > 0 })
    this.#lanes.set(mailboxId, lane)
    void lane.done.then(
      (end) => this.#end(lane, end),
      (error: unknown) => {
        this.#ports.log.error({ err: errorFacts(error), config: mailboxId }, 'A lane broke off')
        this.#end(lane, { kind: 'troubled' })
      },
    )
  }

  #end(lane: Lane, end: LaneEnd): void {
    const { mailboxId } = lane
    this.#lanes.delete(mailboxId)
    const isAnew = this.#anew.delete(mailboxId) && (end.kind === 'rested' || end.kind === 'waiting')
    if (isAnew) this.#waits.delete(mailboxId)
    else if (end.kind === 'troubled') this.#backOff(lane)
    // The poll that begins the next one has heard from the database.
    else if (end.kind === 'cut_off') this.#wait(lane, backoffMinMs)
    else if (end.kind === 'waiting') this.#wait(lane, Math.min(end.waitMs, waitMaxMs))
    else this.#waits.delete(mailboxId)
    this.#rememberTurn(mailboxId)
    if (this.#wanting.size > 0) this.#ports.onRoom()
    // What came while it was saying goodbye must not wait for the next poll.
    else if (isAnew || (lane.isPoked && end.kind === 'rested')) this.attend([mailboxId])
  }

  #backOff(lane: Lane): void {
    const before = lane.work.hasSent ? 0 : (this.#waits.get(lane.mailboxId)?.waitMs ?? 0)
    this.#wait(lane, Math.min(Math.max(2 * before, backoffMinMs), backoffMaxMs))
  }

  #wait({ mailboxId, ownLimits }: Lane, waitMs: number): void {
    this.#waits.set(mailboxId, { waitMs, untilMs: this.#ports.tickMs() + waitMs, ownLimits })
  }

  #isWaiting(mailboxId: string): boolean {
    return this.#ports.tickMs() < (this.#waits.get(mailboxId)?.untilMs ?? 0)
  }

  #held() {
    const lanes = [...this.#lanes.values()].filter(({ work }) => work.waitingCount + work.inFlightCount > 0)
    const campaignIds = new Set(lanes.flatMap(({ work }) => work.campaignIds()))
    return { mailboxIds: lanes.map(({ mailboxId }) => mailboxId), campaignIds: [...campaignIds] }
  }

  /** Only the order matters, and only among those that compete: the oldest entries are as good as none. */
  #rememberTurn(mailboxId: string): void {
    this.#lastTurnMs.delete(mailboxId)
    this.#lastTurnMs.set(mailboxId, this.#ports.tickMs())
    const [oldest] = this.#lastTurnMs.keys()
    if (this.#lastTurnMs.size > 10_000 && oldest !== undefined) this.#lastTurnMs.delete(oldest)
  }
}
