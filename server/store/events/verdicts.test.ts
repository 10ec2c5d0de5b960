import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventKinds } from '../../../contract/results/event.ts'
import { networkEntryOf, networkLabelOf, type NetworkEntry } from '../../../contract/results/network-label.ts'
import { createEventWorld, networkLabel, type Act, type EventWorld } from '../../../tests/support/event-world.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => undefined)
  await ensureDeliveryPartitions(database.pool)
})
afterAll(async () => {
  await database.close()
  await drop()
})

const secondMs = 1000
const minuteMs = 60 * secondMs
const scanner: NetworkEntry = { name: 'mimecast', scope: 'clicks', certainty: 'machine' }

/** A world in which this has happened and been digested. */
async function worldAfter(...acts: readonly Act[]): Promise<EventWorld> {
  const world = await createEventWorld(database)
  await world.act(...acts)
  await world.digest()
  return world
}

const figuresAfter = async (...acts: readonly Act[]) => (await worldAfter(...acts)).figures()

/** The verdicts of a kind of events, in their order. */
async function verdictsOf(world: EventWorld, kind: 'opened' | 'clicked') {
  const { rows } = await database.pool.query<{ verdict: number }>(
    'select verdict from events where workspace_id = $1 and kind = $2 order by seq',
    [world.workspaceId, eventKinds[kind]],
  )
  return rows.map(({ verdict }) => verdict)
}

describe('clicks', () => {
  it('VERDICTS-01 a click by a common browser more than 5 s after acceptance counts as one person', async () => {
    const figures = await figuresAfter({ who: 0, afterMs: 5100, link: 1 })
    expect(figures).toEqual({ 'clicked 1': { n: 1, people: 1 } })
  })

  it('VERDICTS-10 a click by an agent that calls itself a bot is by a machine', async () => {
    const figures = await figuresAfter({ who: 0, afterMs: minuteMs, link: 1, agent: 'slack' })
    expect(figures).toEqual({ 'clicked 3': { n: 1, people: 1 } })
  })

  it('VERDICTS-08 a click from a listed network has the verdict of its entry, and scope clicks leaves opens alone', async () => {
    const probable = networkLabelOf({ ...scanner, certainty: 'probable' })
    const figures = await figuresAfter(
      { who: 0, afterMs: minuteMs, link: 1, netLabel: networkLabelOf(scanner) },
      { who: 1, afterMs: minuteMs, link: 1, netLabel: probable },
      { who: 2, afterMs: minuteMs, netLabel: networkLabelOf(scanner) },
    )
    expect(figures).toEqual({
      'clicked 2': { n: 1, people: 1 },
      'clicked 3': { n: 1, people: 1 },
      'opened 1': { n: 1, people: 1 },
    })
  })

  it('VERDICTS-11 a common browser from the network of a scanner is not human', async () => {
    const figures = await figuresAfter(
      { who: 0, afterMs: minuteMs, link: 1, agent: 'chrome', netLabel: networkLabelOf(scanner) },
      { who: 1, afterMs: minuteMs, link: 1, agent: 'chrome' },
    )
    expect(figures).toEqual({ 'clicked 1': { n: 1, people: 1 }, 'clicked 3': { n: 1, people: 1 } })
  })

  it('VERDICTS-12 three links within 5 s are all by a machine, the first one too, also where they arrive apart', async () => {
    const world = await createEventWorld(database, { acceptedAgoMs: 30 * secondMs })
    await world.act({ who: 0, afterMs: 10_000, link: 1 })
    await world.digest()
    expect(await verdictsOf(world, 'clicked')).toEqual([1])
    await world.act({ who: 0, afterMs: 12_000, link: 2 }, { who: 0, afterMs: 14_500, link: 3 })
    await world.digest()
    expect(await verdictsOf(world, 'clicked')).toEqual([3, 3, 3])
    expect(await world.figures()).toEqual({ 'clicked 3': { n: 3, people: 1 } })
    const { counted, fromEvents } = await world.recount()
    expect(counted).toEqual(fromEvents)
    const { rows } = await database.pool.query(
      'select from contacts where workspace_id = $1 and (last_click_at is not null or last_open_at is not null)',
      [world.workspaceId],
    )
    expect(rows).toEqual([])
  })

  it('three links within 6 s are by a person', async () => {
    const acts = [1, 2, 3].map((link) => ({ who: 0, afterMs: minuteMs + link * 3000, link }))
    expect(await figuresAfter(...acts)).toEqual({ 'clicked 1': { n: 3, people: 1 } })
  })

  it('VERDICTS-13 a click before acceptance plus 5 s makes the whole burst of the mail a machine', async () => {
    const world = await worldAfter({ who: 0, afterMs: 4900, link: 1 }, { who: 0, afterMs: 9000, link: 1 })
    expect(await verdictsOf(world, 'clicked')).toEqual([3, 3])
  })

  it('VERDICTS-14 a click from a second network and system within 30 s of the first is probable', async () => {
    const world = await worldAfter(
      { who: 0, afterMs: minuteMs, link: 1, net: 'home', agent: 'iphone' },
      { who: 0, afterMs: minuteMs + 29_000, link: 1, net: 'cloud', agent: 'chrome' },
      { who: 1, afterMs: minuteMs, link: 1, net: 'home', agent: 'iphone' },
      { who: 1, afterMs: minuteMs + 31_000, link: 1, net: 'cloud', agent: 'chrome' },
    )
    expect(await verdictsOf(world, 'clicked')).toEqual([1, 2, 1, 1])
  })

  it('VERDICTS-16 probable events are shown apart and are in no figure of people', async () => {
    const world = await worldAfter(
      { who: 0, afterMs: minuteMs, link: 1, net: 'home', agent: 'iphone' },
      { who: 0, afterMs: minuteMs + 20_000, link: 1, net: 'cloud', agent: 'chrome' },
    )
    expect(await world.figures()).toEqual({ 'clicked 1': { n: 1, people: 1 }, 'clicked 2': { n: 1, people: 0 } })
  })

  it('VERDICTS-19 the preview of a passed-on link by a chat program is not a click by a person', async () => {
    const world = await worldAfter(
      { who: 0, afterMs: minuteMs, link: 1 },
      { who: 0, afterMs: 10 * secondMs + minuteMs, link: 1, agent: 'slack', net: 'slack' },
    )
    expect(await world.figures()).toEqual({ 'clicked 1': { n: 1, people: 1 }, 'clicked 3': { n: 1, people: 0 } })
  })
})

describe('opens', () => {
  it('VERDICTS-03 a hit that announces a prefetch never counts as a person', async () => {
    const figures = await figuresAfter(
      { who: 0, afterMs: minuteMs, isPrefetch: true, agent: 'gmail' },
      { who: 1, afterMs: minuteMs, link: 1, isPrefetch: true },
    )
    expect(figures).toEqual({ 'opened 3': { n: 1, people: 1 }, 'clicked 3': { n: 1, people: 1 } })
  })

  it('VERDICTS-04 opens by image proxies more than 10 s after acceptance count as people', async () => {
    const figures = await figuresAfter(
      { who: 0, afterMs: 10_100, agent: 'gmail' },
      { who: 1, afterMs: 10_100, agent: 'yahoo' },
      { who: 2, afterMs: 10_100, agent: 'outlook' },
    )
    expect(figures).toEqual({ 'opened 1': { n: 3, people: 3 } })
  })

  it('VERDICTS-05 the same opens within 10 s of acceptance do not', async () => {
    const figures = await figuresAfter(
      { who: 0, afterMs: 9900, agent: 'gmail' },
      { who: 1, afterMs: 9900, agent: 'yahoo' },
      { who: 2, afterMs: 9900, agent: 'outlook' },
    )
    expect(figures).toEqual({ 'opened 3': { n: 3, people: 3 } })
  })

  it('VERDICTS-06 an open by Gmail’s prefetch agent is by a machine', async () => {
    const figures = await figuresAfter({ who: 0, afterMs: minuteMs, agent: 'gmailPrefetch' })
    expect(figures).toEqual({ 'opened 3': { n: 1, people: 1 } })
  })

  it('VERDICTS-07 an open through Apple’s privacy relay is by a machine and has the label apple', async () => {
    const world = await worldAfter({ who: 0, afterMs: minuteMs, agent: 'apple' })
    expect(await world.figures()).toEqual({ 'opened 3': { n: 1, people: 1 } })
    const { rows } = await database.pool.query<{ label: number }>(
      'select net_label as label from events where workspace_id = $1',
      [world.workspaceId],
    )
    expect(networkEntryOf(rows[0]?.label ?? 0).name).toBe('apple')
  })

  it('VERDICTS-15 a later click by a person turns the machine opens of that mail into a person’s, in one reading', async () => {
    const world = await worldAfter(
      { who: 0, afterMs: minuteMs, agent: 'apple' },
      { who: 1, afterMs: minuteMs, agent: 'apple' },
    )
    expect(await world.figures()).toEqual({ 'opened 3': { n: 2, people: 2 } })
    await world.act({ who: 0, afterMs: 4 * minuteMs, link: 1, agent: 'iphone' })
    await world.digest()
    expect(await world.figures()).toEqual({
      'opened 1': { n: 1, people: 1 },
      'opened 3': { n: 1, people: 1 },
      'clicked 1': { n: 1, people: 1 },
    })
    const { counted, fromEvents } = await world.recount()
    expect(counted).toEqual(fromEvents)
  })

  it('an open from the network of a burst is by its machine', async () => {
    const burst = [1, 2, 3].map((link) => ({ who: 0, afterMs: minuteMs + link * 500, link, net: 'scanner' }))
    const figures = await figuresAfter({ who: 0, afterMs: minuteMs, net: 'scanner' }, ...burst)
    expect(figures).toEqual({ 'opened 3': { n: 1, people: 1 }, 'clicked 3': { n: 3, people: 1 } })
  })

  it('an open from another network at the time of a burst is by a person', async () => {
    const burst = [1, 2, 3].map((link) => ({ who: 0, afterMs: minuteMs + link * 500, link, net: 'scanner' }))
    const figures = await figuresAfter({ who: 0, afterMs: minuteMs, net: 'home' }, ...burst)
    expect(figures).toEqual({ 'opened 1': { n: 1, people: 1 }, 'clicked 3': { n: 3, people: 1 } })
  })
})

it('VERDICTS-09 hits are judged by the networks file that an operator puts in place of the old one', async () => {
  const address = '198.51.100.7'
  const before = networkLabel('203.0.113.0/24 clicks machine mimecast', address)
  const after = networkLabel('198.51.100.0/24 clicks machine mimecast', address)
  const figures = await figuresAfter(
    { who: 0, afterMs: minuteMs, link: 1, netLabel: before },
    { who: 1, afterMs: minuteMs, link: 1, netLabel: after },
  )
  expect(figures).toEqual({ 'clicked 1': { n: 1, people: 1 }, 'clicked 3': { n: 1, people: 1 } })
})
