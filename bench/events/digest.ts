import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../server/store/core/database.ts'
import { consumers } from '../../server/store/events/consumers/all.ts'
import { createEventWorld, type Act, type agentTexts, type EventWorld } from '../../tests/support/event-world.ts'
import { createArena } from '../engine/arena.ts'
import type { Figure } from '../report.ts'

type Row = Omit<Figure, 'bench'>

const eventCount = 100_000
const recipientCount = 20_000
const batchCount = 2000
const workspaceCount = 3
const eventsPerSecondLimit = 20_000
const bytesLimit = 230
const agents: readonly (keyof typeof agentTexts)[] = ['firefox', 'chrome', 'iphone', 'apple', 'gmail']

/** The digest of opens and clicks with all its consumers, and what an event takes on disk with all indexes. */
export async function digestFigures(): Promise<Row[]> {
  await using arena = await createArena()
  const { pool } = arena.database
  const world = await addWorld(arena.database, eventCount)
  const startedAt = performance.now()
  await world.digest()
  const seconds = (performance.now() - startedAt) / 1000
  await checkCounts(world)
  const { rows } = await pool.query<{ bytes: number; count: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes, (select count(*) from events)::float8 as count
     from pg_inherits where inhparent = 'events'::regclass`,
  )
  const { bytes = 0, count = 0 } = rows[0] ?? {}
  const together = await digestTogether(arena.database)
  return [
    {
      case: 'digest of one workspace',
      value: eventCount / seconds,
      unit: 'events/s',
      baseline: eventsPerSecondLimit,
      against: 'limit',
    },
    {
      case: `digest of ${workspaceCount} workspaces`,
      value: together,
      unit: 'events/s',
      baseline: eventsPerSecondLimit,
      against: 'limit',
    },
    { case: 'an event with all indexes', value: bytes / count, unit: 'B', baseline: bytesLimit, against: 'limit' },
  ]
}

/** Events per second of several workspaces at once, by one process, as in the product. */
async function digestTogether(database: Database): Promise<number> {
  const count = Math.floor(eventCount / workspaceCount / batchCount) * batchCount
  const worlds: EventWorld[] = []
  for (let no = 0; no < workspaceCount; no++) worlds.push(await addWorld(database, count))
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let left = count * workspaceCount
  const runner = worlds[0]?.runnerOf(consumers, undefined, ({ takenCount }) => {
    left -= takenCount
    if (left === 0) resolve(undefined)
  })
  const startedAt = performance.now()
  runner?.start()
  await promise
  const seconds = (performance.now() - startedAt) / 1000
  await runner?.close()
  for (const world of worlds) await checkCounts(world)
  return (count * workspaceCount) / seconds
}

async function addWorld(database: Database, count: number): Promise<EventWorld> {
  const world = await createEventWorld(database, { count: recipientCount, acceptedAgoMs: 3_600_000 })
  for (let from = 0; from < count; from += batchCount)
    await world.act(...Array.from({ length: batchCount }, (_, at) => actOf(from + at)))
  await database.pool.query('vacuum analyze event_inbox, deliveries')
  return world
}

async function checkCounts(world: EventWorld): Promise<void> {
  const { counted, fromEvents } = await world.recount()
  if (!isDeepStrictEqual(counted, fromEvents)) throw new Error('the counts differ from a recount of the events')
}

/** Each recipient opens the mail a few times and clicks links, half an hour later. */
function actOf(no: number): Act {
  const who = no % recipientCount
  const round = Math.floor(no / recipientCount)
  return {
    who,
    afterMs: 1_800_000 + round * 60_000 + who,
    agent: agents[(who + round) % agents.length] ?? 'firefox',
    net: `net ${who}`,
    ...(round % 2 === 1 && { link: 1 + (who % 5) }),
  }
}
