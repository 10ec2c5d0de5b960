import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { scopeOf, systemScope } from '../../../tests/support/scope.ts'
import type { Hit, UserAgent } from '../../domain/events/new-event.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { readJournalPosition, writeEvents, writeHits } from './inbox.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => undefined)
})
afterAll(async () => {
  await database.close()
  await drop()
})
beforeEach(async () => {
  await database.pool.query('truncate event_inbox, event_journals, user_agents')
})

const hash = (text: string) => createHash('sha256').update(text).digest().subarray(0, 8)
const agent = (text: string): UserAgent => ({ hash: hash(text), text, family: null, os: null, verdict: null })
const hit = (given: Partial<Hit> = {}): Hit => ({
  workspaceId: randomUUID(),
  at: new Date('2026-11-20T10:00:00.123Z'),
  kind: 'clicked',
  messageId: randomUUID(),
  deliveryMonth: '2026-11-01',
  deliveryId: 7,
  linkNo: 3,
  agentHash: hash('Firefox'),
  netHash: hash('net'),
  netLabel: null,
  flags: 0,
  ...given,
})
const count = async (table: string) => {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)
  return rows[0]?.count
}

describe('hits', () => {
  it('are written once with the position of their journal, however often the batch is repeated', async () => {
    const position = { writer: 'door-1', segment: 1, byteOffset: 400 }
    const batch = { hits: [hit(), hit({ kind: 'opened', linkNo: null })], agents: [agent('Firefox')], position }
    expect(await writeHits(systemScope, batch, database.pool)).toBe(true)
    expect(await writeHits(systemScope, batch, database.pool)).toBe(false)
    expect(await readJournalPosition(systemScope, 'door-1', database.pool)).toEqual(position)
    expect(await count('event_inbox')).toBe(2)
    const next = { ...batch, agents: [], position: { writer: 'door-1', segment: 2, byteOffset: 30 } }
    expect(await writeHits(systemScope, next, database.pool)).toBe(true)
    expect(await count('event_inbox')).toBe(4)
    expect(await readJournalPosition(systemScope, 'door-2', database.pool)).toBeNull()
  })

  it('number each user agent once, and use up no number for a known one', async () => {
    const write = (byteOffset: number, agents: UserAgent[]) =>
      writeHits(
        systemScope,
        { hits: [hit()], agents, position: { writer: 'd', segment: 1, byteOffset } },
        database.pool,
      )
    for (let at = 1; at <= 20; at += 1) await write(at, [agent('Firefox')])
    await write(21, [agent('Safari'), agent('Firefox')])
    const { rows } = await database.pool.query<{ text: string; id: number }>(
      'select text, id - min(id) over () as id from user_agents order by id',
    )
    expect(rows).toEqual([
      { text: 'Firefox', id: 0 },
      { text: 'Safari', id: 1 },
    ])
  })
})

it('events are written in order with what they say about their mail', async () => {
  const scope = scopeOf(randomUUID())
  const at = new Date('2026-11-20T10:00:00Z')
  await writeEvents(
    scope,
    [
      { kind: 'bounced', at, deliveryMonth: '2026-11-01', deliveryId: 9, detail: { reason: 'user_unknown' } },
      { kind: 'list_joined', at, contactId: 4, detail: { list_id: '8' } },
    ],
    database.pool,
  )
  const { rows } = await database.pool.query(
    'select kind, delivery_id, contact_id, flags, detail from event_inbox where workspace_id = $1 order by id',
    [scope.workspaceId],
  )
  expect(rows).toEqual([
    { kind: 5, delivery_id: 9, contact_id: null, flags: 0, detail: { reason: 'user_unknown' } },
    { kind: 11, delivery_id: null, contact_id: 4, flags: 0, detail: { list_id: '8' } },
  ])
})
