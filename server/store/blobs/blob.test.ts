import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { TestDatabase } from '../../../tests/support/postgres-server.ts'
import { authorize, authorizeAll } from '../../domain/auth/authorize.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createBlobStore } from './blob.ts'

let made: TestDatabase
let database: Database

beforeAll(async () => {
  made = await createTestDatabase()
  database = openDatabase(made.connection, () => undefined)
})
afterAll(async () => {
  await database.close()
  await made.drop()
})

describe('the daily task', () => {
  it('deletes files that no row names and that are older than a day, and keeps all others', async () => {
    const workspaceId = randomUUID()
    const scope = authorize({ kind: 'system', task: 'test' }, 'images:read', workspaceId)
    const blobs = createBlobStore(database)
    const now = new Date('2026-05-01T12:00:00Z')
    const old = new Date(now.getTime() - 25 * 3_600_000)
    await database.pool.query(`insert into workspaces (id, name) values ($1, 'Test')`, [workspaceId])
    const put = (text: string, at: Date) => blobs.put(scope, Buffer.from(text), 'image/png', at)
    const [unnamed, fresh] = [await put('unnamed', old), await put('fresh', now)]
    const [attached, uploaded, expired] = [
      await put('attached', old),
      await put('uploaded', old),
      await put('expired', old),
    ]
    const upload = `insert into uploads (workspace_id, id, sha256, filename, content_type, size_bytes, created_at, expires_at)
       values ($1, $2, $3, 'a.txt', 'text/plain', 1, $4, $5)`
    await database.pool.query(
      `insert into attachments (workspace_id, owner_kind, owner_id, position, sha256, filename, content_type, size_bytes)
       values ($1, 'draft', 'x', 0, $2, 'a.txt', 'text/plain', 1)`,
      [workspaceId, attached],
    )
    await database.pool.query(upload, [workspaceId, randomUUID(), uploaded, old, new Date(now.getTime() + 1000)])
    await database.pool.query(upload, [workspaceId, randomUUID(), expired, old, now])
    // The same content again counts as new.
    const again = await put('again', old)
    await put('again', now)

    await blobs.prune(authorizeAll({ kind: 'system', task: 'test' }), new Date(now.getTime() + 1))

    const isStored = async (sha256: Buffer) => (await blobs.readWhole(scope, sha256)) !== null
    const kept = await Promise.all([unnamed, expired, fresh, attached, uploaded, again].map(isStored))
    expect(kept).toEqual([false, false, true, true, true, true])
    expect(await blobs.storedBytes(scope)).toBe('attached'.length + 'uploaded'.length)
  })
})
