import { Lane, type LaneEnd, type LanePorts } from './lane.ts'

interface LanesPorts extends Omit<LanePorts, 'isWanted'> {
  /** A lane has ended while mailboxes waited for one. */
  onRoom: () => void
  lanesMaxCount?: number
}

const lanesDefaultCount = 500
const backoffMinMs = 1000
const backoffMaxMs = 60_000

/** The lanes of all mailboxes that have something to send: each its own, so that none waits for another. */
export class Lanes {
  readonly #ports: LanesPorts
  readonly #lanes = new Map<string, Lane>()
  /** Mailboxes whose last lane ended in trouble: not tried again before an instant, later each time. */
  readonly #troubles = new Map<string, { waitMs: number; untilMs: number }>()
  /** When a mailbox last gave up its lane, for those that have more to send. */
  readonly #lastTurnMs = new Map<string, number>()
  readonly #wanting = new Set<string>()
  #isStopping = false

  constructor(ports: LanesPorts) {
    this.#ports = ports
  }

  /** These mailboxes may have something due. Who has waited longest comes first. */
  attend(configIds: readonly string[]): void {
    if (this.#isStopping) return
    const turn = (configId: string) => this.#lastTurnMs.get(configId) ?? 0
    for (const configId of configIds.toSorted((a, b) => turn(a) - turn(b))) {
      const lane = this.#lanes.get(configId)
      if (lane) lane.poke()
      else if (!this.#isTroubled(configId)) this.#begin(configId)
    }
  }

  /** Resolves when every lane has finished its messages. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const lane of this.#lanes.values()) lane.stop()
    await Promise.all([...this.#lanes.values()].map((lane) => lane.done))
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
    const lane = new Lane(configId, { ...this.#ports, isWanted: () => this.#wanting.size > 0 })
    this.#lanes.set(configId, lane)
    void lane.done.then((end) => this.#end(lane, end))
  }

  #end(lane: Lane, end: LaneEnd): void {
    const { configId } = lane
    this.#lanes.delete(configId)
    if (end === 'troubled') this.#backOff(configId)
    else this.#troubles.delete(configId)
    this.#rememberTurn(configId)
    if (this.#wanting.size > 0) this.#ports.onRoom()
    // What came while it was saying goodbye must not wait for the next poll.
    else if (lane.isPoked && end === 'rested') this.attend([configId])
  }

  #backOff(configId: string): void {
    const before = this.#troubles.get(configId)?.waitMs ?? backoffMinMs / 2
    const waitMs = Math.min(2 * before, backoffMaxMs)
    this.#troubles.set(configId, { waitMs, untilMs: this.#nowMs() + waitMs })
  }

  #isTroubled(configId: string): boolean {
    return this.#nowMs() < (this.#troubles.get(configId)?.untilMs ?? 0)
  }

  /** Only the order matters, and only among those that compete: the oldest entries are as good as none. */
  #rememberTurn(configId: string): void {
    this.#lastTurnMs.delete(configId)
    this.#lastTurnMs.set(configId, this.#nowMs())
    const [oldest] = this.#lastTurnMs.keys()
    if (this.#lastTurnMs.size > 10_000 && oldest !== undefined) this.#lastTurnMs.delete(oldest)
  }

  #nowMs(): number {
    return this.#ports.clock().getTime()
  }
}
