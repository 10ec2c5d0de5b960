import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEventWorld } from '../../../../tests/support/event-world.ts'
import { createTestDatabase } from '../../../../tests/support/postgres.ts'
import type { TestDatabase } from '../../../../tests/support/postgres-server.ts'
import { openDatabase, type Database } from '../../core/database.ts'
import { ensureDeliveryPartitions } from '../../messages/delivery-partitions.ts'
import { writeEvents } from '../inbox.ts'

let made: TestDatabase
let database: Database
beforeAll(async () => {
  made = await createTestDatabase()
  database = openDatabase(made.connection, () => undefined)
  await ensureDeliveryPartitions(database.pool)
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

it('BOUNCES-08 an open, a click or a reply of the person ends the row of waiting bounces', async () => {
  const world = await createEventWorld(database)
  const { pool } = database
  const [opener, clicker, replier, silent] = [0, 1, 2, 3] as const
  const emails = [opener, clicker, replier, silent].map((who) => world.emails[who] ?? '')
  await pool.query(
    `insert into address_health (workspace_id, address_hash, soft_bounces, first_bounce_at, last_bounce_at, last_reason)
     select $1, substr(sha256(convert_to(email, 'UTF8')), 1, 16), 4, now() - interval '9 days', now() - interval '1 day', 'mailbox_full'
     from unnest($2::text[]) as email`,
    [world.workspaceId, emails],
  )
  const eventOf = (who: number, kind: 'replied' | 'bounced') => ({
    kind,
    at: new Date(world.acceptedAt + (kind === 'bounced' ? 200_000 : 100_000)),
    messageId: world.messageId,
    deliveryMonth: world.deliveries[who]?.month,
    deliveryId: world.deliveries[who]?.id,
    ...(kind === 'bounced' && {
      detail: { reason: 'mailbox_full' as const, action: 'waiting' as const, words: 'full' },
    }),
  })
  await world.act({ who: opener, afterMs: 100_000 }, { who: clicker, afterMs: 100_000, link: 1 })
  await writeEvents(world.scope, [eventOf(replier, 'replied')], pool)
  await world.digest()
  await writeEvents(
    world.scope,
    [opener, clicker, replier, silent].map((who) => eventOf(who, 'bounced')),
    pool,
  )
  await world.digest()
  const { rows } = await pool.query<{ email: string; n: number; isSuppressed: boolean }>(
    `select email, h.soft_bounces as n, exists (
       select from suppressions s where s.workspace_id = $1 and s.email = given.email) as "isSuppressed"
     from unnest($2::text[]) with ordinality as given (email, no)
       join address_health h on h.workspace_id = $1 and h.address_hash = substr(sha256(convert_to(email, 'UTF8')), 1, 16)
     order by no`,
    [world.workspaceId, emails],
  )
  expect(rows.map(({ n, isSuppressed }) => [n, isSuppressed])).toEqual([
    [1, false],
    [1, false],
    [1, false],
    [5, true],
  ])
})
