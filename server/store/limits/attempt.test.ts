import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { AttemptKind } from '../../domain/limits/attempt.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createAttemptStore } from './attempt.ts'

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

it.each<[AttemptKind, count: number, minutes: number]>([
  ['sign-in-address', 5, 15],
  ['sign-in-network', 50, 15],
  ['sign-in-device', 5, 15],
  ['sign-in-proof', 1, 60],
  ['sign-up-network', 100, 60],
  ['account-mail', 3, 60],
  ['reset-network', 10, 60],
  ['password-check', 5, 15],
  ['mailbox-workspace', 20, 15],
  ['mailbox-address', 20, 60],
  ['mail-server-discovery', 60, 15],
  ['hosted-sign-in', 10, 15],
  ['hosted-sign-in-account', 100, 15],
  ['hosted-sign-in-network', 300, 15],
  ['hosted-sign-up', 60, 60],
  ['hosted-sign-up-taken', 10, 60],
  ['hosted-password-check', 5, 15],
])(
  'of the kind %s %i attempts are taken within %i minutes, and the next one after that',
  async (kind, count, minutes) => {
    const attempts = createAttemptStore(database, { lookup: (text) => createHash('sha256').update(text).digest() })
    const age = (seconds: number) =>
      database.pool.query('update attempts set at = now() - make_interval(secs => $2) where kind = $1', [kind, seconds])
    for (let no = 1; no <= count; no += 1) expect(await attempts.take(kind, 'ann')).toMatchObject({ ok: true })
    expect(await attempts.take(kind, 'ann')).toMatchObject({ ok: false })
    expect(await attempts.take(kind, 'bob')).toMatchObject({ ok: true })
    await age(60 * minutes - 30)
    const refused = await attempts.take(kind, 'ann')
    expect(refused).toMatchObject({ ok: false })
    expect(!refused.ok && refused.retryAfterMs <= 30_000).toBe(true)
    await age(60 * minutes + 1)
    expect(await attempts.take(kind, 'ann')).toMatchObject({ ok: true })
  },
)
