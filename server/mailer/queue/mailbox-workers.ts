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
      recheck: (configIds) =>
        Promise.all(configIds.flatMap((configId) => this.#lanes.get(configId)?.work.recheck() ?? [])),
    })
  }

  /**
   * The limits that the owners of due mailboxes have set, as they stand now. Where a lane began under others, nobody waits
   * for those any more, and connections are counted anew.
   */
  heed(limits: ReadonlyMap<string, string>): void {
    for (const [configId, own] of limits) {
      const isOld = (known: { ownLimits: string | null } | undefined) =>
        typeof known?.ownLimits === 'string' && known.ownLimits !== own
      if (isOld(this.#waits.get(configId))) this.#waits.delete(configId)
      const lane = this.#lanes.get(configId)
      if (!lane || !isOld(lane)) continue
      this.#anew.add(configId)
      lane.stop()
    }
  }

  /** These mailboxes may have something due. Who has waited longest comes first. */
  attend(configIds: readonly string[]): void {
    if (this.#isStopping) return
    const turn = (configId: string) => this.#lastTurnMs.get(configId) ?? 0
    for (const configId of configIds.toSorted((a, b) => turn(a) - turn(b))) {
      const lane = this.#lanes.get(configId)
      if (lane) lane.poke()
      else if (!this.#isWaiting(configId)) this.#begin(configId)
    }
  }

  /** Keeps the connections of the lanes counted as theirs. To be called every few seconds. */
  async renewSlots(): Promise<void> {
    const lanes = [...this.#lanes.values()].filter(({ hasSlots }) => hasSlots)
    if (lanes.length === 0) return
    const configIds = lanes.map(({ configId }) => configId)
    const kept = new Set(await this.#ports.slots.renew(this.#ports.holder, configIds))
    for (const lane of lanes) {
      if (kept.has(lane.configId) || !lane.hasSlots) continue
      this.#ports.log.warn({ config: lane.configId }, 'Connections were not kept in time and belong to others now')
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

  #begin(configId: string): void {
    if (this.#lanes.size >= (this.#ports.lanesMaxCount ?? lanesDefaultCount)) {
      this.#wanting.add(configId)
      for (const lane of this.#lanes.values()) {
        if (lane.isResting) lane.stop()
      }
      return
    }
    this.#wanting.delete(configId)
    const lane = new Lane(configId, { ...this.#ports, halts: this.#halts, isWanted: () => this.#wanting.size > 0 })
    this.#lanes.set(configId, lane)
    void lane.done.then(
      (end) => this.#end(lane, end),
      (error: unknown) => {
        this.#ports.log.error({ err: errorFacts(error), config: configId }, 'A lane broke off')
        this.#end(lane, { kind: 'troubled' })
      },
    )
  }

  #end(lane: Lane, end: LaneEnd): void {
    const { configId } = lane
    this.#lanes.delete(configId)
    const isAnew = this.#anew.delete(configId) && (end.kind === 'rested' || end.kind === 'waiting')
    if (isAnew) this.#waits.delete(configId)
    else if (end.kind === 'troubled') this.#backOff(lane)
    // The poll that begins the next one has heard from the database.
    else if (end.kind === 'cut_off') this.#wait(lane, backoffMinMs)
    else if (end.kind === 'waiting') this.#wait(lane, Math.min(end.waitMs, waitMaxMs))
    else this.#waits.delete(configId)
    this.#rememberTurn(configId)
    if (this.#wanting.size > 0) this.#ports.onRoom()
    // What came while it was saying goodbye must not wait for the next poll.
    else if (isAnew || (lane.isPoked && end.kind === 'rested')) this.attend([configId])
  }

  #backOff(lane: Lane): void {
    const before = lane.work.hasSent ? 0 : (this.#waits.get(lane.configId)?.waitMs ?? 0)
    this.#wait(lane, Math.min(Math.max(2 * before, backoffMinMs), backoffMaxMs))
  }

  #wait({ configId, ownLimits }: Lane, waitMs: number): void {
    this.#waits.set(configId, { waitMs, untilMs: this.#ports.tickMs() + waitMs, ownLimits })
  }

  #isWaiting(configId: string): boolean {
    return this.#ports.tickMs() < (this.#waits.get(configId)?.untilMs ?? 0)
  }

  #held() {
    const lanes = [...this.#lanes.values()].filter(({ work }) => work.waitingCount + work.inFlightCount > 0)
    const campaignIds = new Set(lanes.flatMap(({ work }) => work.campaignIds()))
    return { configIds: lanes.map(({ configId }) => configId), campaignIds: [...campaignIds] }
  }

  /** Only the order matters, and only among those that compete: the oldest entries are as good as none. */
  #rememberTurn(configId: string): void {
    this.#lastTurnMs.delete(configId)
    this.#lastTurnMs.set(configId, this.#ports.tickMs())
    const [oldest] = this.#lastTurnMs.keys()
    if (this.#lastTurnMs.size > 10_000 && oldest !== undefined) this.#lastTurnMs.delete(oldest)
  }
}
