import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createEmbedSessionStore } from './embed-session.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await createMailRows(database.pool)
})
afterAll(async () => {
  await database.close()
  await drop()
})

it('sessions of an embed are kept for 90 days after they expired', async () => {
  const { pool } = database
  const embedId = randomUUID()
  await pool.query(
    `insert into embeds (workspace_id, id, name, allowed_origins, widgets, messages_per_session, recipients_per_session,
       recipients_per_day, popup_sign_in)
     select id, $1, 'Admin', '{}', '{}', 1, 1, 1, false from workspaces limit 1`,
    [embedId],
  )
  const expire = (age: string) =>
    pool.query(
      `insert into embed_sessions (id, workspace_id, embed_id, token_hash, origin, is_preview, scopes, opened_by,
         key_config_id, messages_limit, recipients_limit, user_ref, expires_at)
       select gen_random_uuid(), workspace_id, id, sha256(uuid_send(gen_random_uuid())), 'https://example.com', false, '{}',
         'key', gen_random_uuid(), 1, 1, $1, now() - $1::text::interval from embeds where id = $2`,
      [age, embedId],
    )
  await expire('89 days 23:59')
  await expire('90 days')
  await createEmbedSessionStore(database).prune(systemScope)
  const { rows } = await pool.query('select user_ref from embed_sessions where embed_id = $1', [embedId])
  expect(rows).toEqual([{ user_ref: '89 days 23:59' }])
})
