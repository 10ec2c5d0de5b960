import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestDatabase } from '../support/postgres.ts'
import type { TestDatabase } from '../support/postgres-server.ts'
import { expectStartFailure, startServerProcess } from '../support/server-process.ts'

let folder: { path: string } & AsyncDisposable
let database: TestDatabase
let environment: Record<string, string>

beforeAll(async () => {
  folder = await temporaryFolder()
  database = await createTestDatabase()
  environment = { PORT: '0', DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') }
})
afterAll(async () => {
  await database.drop()
  await folder[Symbol.asyncDispose]()
})

/** One sentence, exit status 1, no stack, nothing on standard output. */
const refuse = async (changes: Record<string, string>, sentence: RegExp) => {
  const { code, out, err } = await expectStartFailure({ environment: { ...environment, ...changes } })
  const printed = err.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  expect(printed).toEqual([expect.stringMatching(sentence)])
  expect(out).toBe('')
  expect(code).toBe(1)
}

describe('a start that fails', () => {
  it('with a malformed setting names it', async () => {
    await refuse({ PORT: 'http' }, /^PORT is “http”; set it to a whole number/)
  })

  it('on a port in use reports it', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await refuse(
      { PORT: String(port) },
      new RegExp(`^Port ${port} is in use; stop the program that uses it, or set PORT`),
    )
    other.close()
  })

  it('on an address of another machine reports it', async () => {
    await refuse({ HOST: '203.0.113.7' }, /^HOST is “203\.0\.113\.7”, which is no address of this machine/)
  })

  it('on a data folder that is a file reports it', async () => {
    await writeFile(join(folder.path, 'file'), '')
    await refuse({ DATA_DIR: join(folder.path, 'file') }, /^The data folder .* is not a folder/)
  })

  it.each([
    ['where nothing listens', 'postgres://sendwright:hunter2@127.0.0.1:1/sendwright', /nothing listens there/],
    ['at an unknown host', 'postgres://sendwright:hunter2@nowhere.invalid/sendwright', /host/],
    ['of another kind', 'mysql://sendwright:hunter2@127.0.0.1/sendwright', /is not a PostgreSQL address/],
  ])('on a database %s reports it, without the password', async (_what, url, sentence) => {
    await refuse({ DATABASE_URL: url }, sentence)
    await refuse({ DATABASE_URL: url }, /^(?!.*hunter2)/)
  })

  it('on a missing database, or with a wrong password, reports it', async () => {
    const missing = database.url.replace(/\/test_\w+/, '/nothing_here')
    await refuse({ DATABASE_URL: missing }, /there is no such database/)
    const wrong = database.url.replace(/:[^:@/]+@/, ':hunter2@')
    await refuse({ DATABASE_URL: wrong }, /the password is wrong/)
  })

  it('with a key file that others can read names the remedy', async () => {
    const file = join(folder.path, 'open.key')
    await writeFile(file, '{}')
    await chmod(file, 0o644)
    await refuse({ SECRET_KEY_FILE: file }, /chmod 600/)
  })

  it('H27 without the key file of its sealed secrets, or with another one, reports it and creates no new key', async () => {
    await using sealed = await temporaryFolder()
    const own = await createTestDatabase()
    const settings = { ...environment, DATABASE_URL: own.url, DATA_DIR: sealed.path }
    const first = await startServerProcess({ environment: settings })
    await first.end('SIGTERM')
    await mkdir(join(sealed.path, 'elsewhere'))
    await refuse(
      { ...settings, SECRET_KEY_FILE: join(sealed.path, 'elsewhere', 'missing.key') },
      /is missing, and the database holds secrets/,
    )
    await expect(readFile(join(sealed.path, 'elsewhere', 'missing.key'))).rejects.toThrow('ENOENT')
    const foreign = JSON.stringify({ current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } })
    await writeFile(join(sealed.path, 'foreign.key'), foreign, { mode: 0o600 })
    await refuse(
      { ...settings, SECRET_KEY_FILE: join(sealed.path, 'foreign.key') },
      /is not the one that this database was sealed with/,
    )
    await own.drop()
  })

  it('while another server runs on the same data folder reports it', async () => {
    await using running = await startServerProcess({ environment })
    await refuse({}, new RegExp(`process ${running.child.pid}\\) already runs on the data folder`))
    await running.end('SIGTERM')
  })
})
