import { randomUUID } from 'node:crypto'
import { copyFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMailboxStore } from '../../server/store/mailboxes/mailbox.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { readKeyRing } from '../../server/store/vault/key-ring.ts'
import { beginRotation, endRotation, prepareKey, rewrapAll } from '../../server/store/vault/rotate-keys.ts'
import { sealedColumns } from '../../server/store/vault/sealed-columns.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { runCommand, startCommand } from '../support/command.ts'
import type { TestDatabase } from '../support/postgres-server.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scopeOf } from '../support/scope.ts'

let folder: { path: string } & AsyncDisposable
let database: Database
let made: TestDatabase
let keyFile: string

beforeAll(async () => {
  folder = await temporaryFolder()
  keyFile = join(folder.path, 'secret.key')
  made = await createTestDatabase()
  database = openDatabase(made.connection, () => undefined)
})
afterAll(async () => {
  await database.close()
  await made.drop()
  await folder[Symbol.asyncDispose]()
})

const storeWith = async (path = keyFile) =>
  createMailboxStore(database, await openVault(database.pool, path), () => new Date())

const addMailbox = async (store: Awaited<ReturnType<typeof storeWith>>, secretKey: string) => {
  const workspaceId = randomUUID()
  await database.pool.query('insert into workspaces (id, name) values ($1, $$W$$)', [workspaceId])
  const row = { emailAddress: 'ann@example.com', provider: 'gmail', server: null } as const
  const scope = scopeOf(workspaceId)
  const saved = await store.save(scope, { ...row, id: randomUUID(), appPassword: `pw ${secretKey}`, secretKey })
  return { ...saved, scope }
}

/** The ids of the keys that wrap the app passwords, read from the stored bytes. */
const keysInUse = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `select distinct convert_from(substring(app_password_sealed from 3 for get_byte(app_password_sealed, 1)), 'utf8') as id
     from email_configs where app_password_sealed is not null`,
  )
  return rows.map(({ id }) => id)
}

const rotate = async () => {
  const vault = await openVault(database.pool, keyFile)
  const { id } = await beginRotation(keyFile)
  const rewrapped = await rewrapAll(database.pool, vault, id, 10)
  await endRotation(keyFile)
  return { id, ...rewrapped }
}

describe('keys:rotate', () => {
  it('wraps every secret with the new key while a server keeps reading and writing', async () => {
    const running = await storeWith()
    const before = await addMailbox(running, 'ck_before')
    const { id, wrappedCount, brokenCount, isComplete } = await rotate()
    expect({ wrappedCount, brokenCount, isComplete }).toEqual({ wrappedCount: 2, brokenCount: 0, isComplete: true })
    expect(await keysInUse()).toEqual([id])

    expect(await running.findSecrets(before.scope, before.id)).toMatchObject({ appPassword: 'pw ck_before' })
    expect(await running.findByKey('ck_before')).toMatchObject({ mailboxId: before.id })
    const after = await addMailbox(running, 'ck_after')
    expect(await keysInUse()).toEqual([id])
    const restarted = await storeWith()
    for (const { id: mailboxId, scope, key } of [
      { ...before, key: 'ck_before' },
      { ...after, key: 'ck_after' },
    ]) {
      expect(await restarted.findByKey(key)).toMatchObject({ mailboxId })
      expect(await restarted.findSecrets(scope, mailboxId)).toMatchObject({ appPassword: `pw ${key}` })
    }
  })

  it('continues with its new key after a kill, and creates another one only after completion', async () => {
    const store = await storeWith()
    for (const key of ['ck_first', 'ck_second', 'ck_third']) await addMailbox(store, key)
    const before = await readKeyRing(keyFile)
    const environment = { DATABASE_URL: made.url, SECRET_KEY_FILE: keyFile, DATA_DIR: folder.path }
    const client = await database.pool.connect()
    try {
      // The command goes by workspace and id: it waits at this row, the last one, and is killed there.
      await client.query('begin')
      await client.query('select from email_configs order by workspace_id desc, id desc limit 1 for update')
      const killed = startCommand('keys-rotate', [], environment)
      const isHeldUp = async () => (await keysInUse()).length === 2
      await expect.poll(isHeldUp, { interval: 20 }).toBe(true)
      killed.child.kill('SIGKILL')
      expect((await killed.ended).code).toBe(null)
    } finally {
      await client.query('rollback')
      client.release()
    }
    const half = await readKeyRing(keyFile)
    expect([...half!.keys.keys()]).toHaveLength(before!.keys.size + 1)

    const { code, err } = await runCommand('keys-rotate', [], environment)
    expect(code).toBe(0)
    expect(err).toContain(`Resuming an interrupted rotation to the key ${half!.currentId}`)
    const after = await readKeyRing(keyFile)
    expect([after!.currentId, after!.keys.size]).toEqual([half!.currentId, half!.keys.size])
    expect(await keysInUse()).toEqual([half!.currentId])

    expect((await runCommand('keys-rotate', [], environment)).code).toBe(0)
    expect((await readKeyRing(keyFile))!.keys.size).toBe(half!.keys.size + 1)
  })

  it('keeps the key file readable by its owner only, with every older key in it', async () => {
    const before = await readKeyRing(keyFile)
    await rotate()
    const after = await readKeyRing(keyFile)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    expect([...after!.keys.keys()]).toEqual(expect.arrayContaining([...before!.keys.keys()]))
    expect(after!.currentId).not.toBe(before!.currentId)
  })

  it('counts secrets that no key opens, leaves them unchanged and continues', async () => {
    const store = await storeWith()
    const [broken, whole] = [await addMailbox(store, 'ck_broken'), await addMailbox(store, 'ck_whole')]
    await database.pool.query(
      `update email_configs set app_password_sealed = set_byte(app_password_sealed, 30, get_byte(app_password_sealed, 30) # 1)
       where id = $1`,
      [broken.id],
    )
    expect(await rotate()).toMatchObject({ brokenCount: 1, isComplete: true })
    expect(await (await storeWith()).findSecrets(whole.scope, whole.id)).toMatchObject({ appPassword: 'pw ck_whole' })
    await database.pool.query('update email_configs set app_password_sealed = null where id = $1', [broken.id])
  })

  it('with a key created in advance lets another machine update its copy of the file first', async () => {
    const copy = join(folder.path, 'copy.key')
    const id = await prepareKey(keyFile)
    expect((await readKeyRing(keyFile))?.currentId).not.toBe(id)
    await copyFile(keyFile, copy)
    const elsewhere = await storeWith(copy)
    const mailbox = await addMailbox(elsewhere, 'ck_elsewhere')
    expect((await rotate()).id).toBe(id)
    expect(await elsewhere.findSecrets(mailbox.scope, mailbox.id)).toMatchObject({ appPassword: 'pw ck_elsewhere' })
  })

  it('H27 the previous file no longer starts a server on the database', async () => {
    const old = join(folder.path, 'old.key')
    await copyFile(keyFile, old)
    await rotate()
    await expect(openVault(database.pool, old)).rejects.toThrow('is not the one that this database was sealed with')
    expect(await readFile(old, 'utf8')).not.toBe(await readFile(keyFile, 'utf8'))
  })

  it('covers every sealed column', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like '%\\_sealed'`,
    )
    const sealed = rows.map(({ name }) => name)
    const listed = sealedColumns.map(({ table, sealed: column }) => `${table}.${column}`)
    // Check values of keys, and rows that are deleted within a day.
    const unrotated = ['vault_keys.check_sealed', 'idempotency_keys.answer_sealed']
    expect([...listed, ...unrotated].sort()).toEqual(sealed.sort())
  })
})
