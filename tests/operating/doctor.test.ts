import { randomUUID } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDatabase } from '../../commands/doctor/database.ts'
import { checkDataFolder, checkKeyFile } from '../../commands/doctor/files.ts'
import { checkMailbox, checkSystemMailbox } from '../../commands/doctor/mailboxes.ts'
import { readSettings, type Settings } from '../../server/settings.ts'
import { createMailboxStore } from '../../server/store/mailboxes/mailbox.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createKeyRing } from '../../server/store/vault/key-ring.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { runCommand } from '../support/command.ts'
import { startTestServer } from '../support/server.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scopeOf } from '../support/scope.ts'

const undo: (() => unknown)[] = []
let folder: string
let url: string
let database: Database
let settings: Settings
let sink: SmtpSink
let answer: `${number} ${string}` | undefined

const sentences = (findings: readonly { state: string; subject: string; message: string }[]) =>
  findings.map(({ state, subject, message }) => `${state} ${subject} ${message}`).join('\n')

beforeAll(async () => {
  const made = await temporaryFolder()
  folder = made.path
  const test = await createTestDatabase()
  url = test.url
  database = openDatabase(test.connection, () => undefined)
  sink = await startSmtpSink({ onLogin: () => answer })
  undo.push(
    () => made[Symbol.asyncDispose](),
    test.drop,
    () => database.close(),
    () => sink.close(),
  )
  settings = readSettings({ DATA_DIR: folder, SMTP_ALLOW: `127.0.0.1:${sink.port}` }, folder, false)
  const vault = await openVault(database.pool, settings.secretKeyFile)
  const workspaceId = randomUUID()
  await database.pool.query('insert into workspaces (id, name) values ($1, $$W$$)', [workspaceId])
  await createMailboxStore(database, vault, () => new Date()).save(scopeOf(workspaceId), {
    id: randomUUID(),
    emailAddress: 'ann@example.com',
    provider: 'other',
    server: { host: '127.0.0.1', port: sink.port, security: 'none' },
    appPassword: 'hunter2hunter2',
    secretKey: 'ck_1',
  })
})
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

describe('the doctor, for mailboxes', () => {
  it('signs in to a connected mailbox with its stored credentials', async () => {
    answer = undefined
    expect(sentences(await checkMailbox(database, settings, 'Ann@Example.com'))).toBe(
      'ok mailbox Ann@Example.com: 127.0.0.1 takes its sign-in.',
    )
    expect(sink.logins.at(-1)).toMatchObject({ user: 'ann@example.com', password: 'hunter2hunter2' })
  })

  it('explains why a sign-in is refused, without the password', async () => {
    answer = '535 5.7.8 Bad hunter2hunter2'
    const reported = sentences(await checkMailbox(database, settings, 'ann@example.com'))
    expect(reported).toMatch(/^fail mailbox ann@example.com: The mail server refused this address and password/)
    expect(reported).not.toContain('hunter2')
  })

  it('signs in with the access token of a mailbox connected at its provider, and never prints it', async () => {
    const shown: string[] = []
    const bearer = await startSmtpSink({
      authMethods: ['XOAUTH2'],
      onLogin: (_user, token) => {
        shown.push(token)
        return token === 'good-token-canary' ? undefined : '535 5.7.8 No'
      },
    })
    undo.push(() => bearer.close())
    const allowed = { ...settings, smtpAllow: [{ host: '127.0.0.1', port: bearer.port }] }
    const connect = async (emailAddress: string, accessToken: string) => {
      const vault = await openVault(database.pool, settings.secretKeyFile)
      const { rows } = await database.pool.query<{ id: string }>('select id from workspaces limit 1')
      await createMailboxStore(database, vault, () => new Date()).save(scopeOf(rows[0]?.id ?? ''), {
        id: randomUUID(),
        emailAddress,
        provider: 'other',
        server: { host: '127.0.0.1', port: bearer.port, security: 'none' },
        appPassword: null,
        tokens: { refreshToken: 'r', accessToken, expiresAtMs: Date.now() + 3_600_000 },
        secretKey: `ck_${emailAddress}`,
      })
    }
    await connect('good@example.com', 'good-token-canary')
    await connect('bad@example.com', 'bad-token-canary')
    const good = sentences(await checkMailbox(database, allowed, 'good@example.com'))
    const bad = sentences(await checkMailbox(database, allowed, 'bad@example.com'))
    const later = Date.now() + 3_500_000
    const ended = sentences(await checkMailbox(database, allowed, 'good@example.com', {}, later))
    expect(good).toBe('ok mailbox good@example.com: 127.0.0.1 takes its sign-in.')
    expect(bad).toMatch(/^fail mailbox bad@example.com: /)
    expect(ended).toMatch(/^warn mailbox good@example.com: its access token has ended/)
    expect(shown.slice(0, 2)).toEqual(['good-token-canary', 'bad-token-canary'])
    expect(good + bad + ended).not.toContain('canary')
  })

  it('reports an unknown address, and a mailbox sealed with another key file', async () => {
    expect(sentences(await checkMailbox(database, settings, 'bob@example.com'))).toMatch(/No mailbox bob@example.com/)
    const other = join(folder, 'other.key')
    await createKeyRing(other)
    await expect(checkMailbox(database, { ...settings, secretKeyFile: other }, 'ann@example.com')).rejects.toThrow(
      'is not the one',
    )
  })

  it('checks the mailbox of account mails', async () => {
    answer = '535 5.7.8 No'
    const wrong = new URL(`smtp://me:hunter2hunter2@127.0.0.1:${sink.port}`)
    const reported = await checkSystemMailbox({ ...settings, systemSmtpUrl: wrong })
    expect(reported).toMatchObject({ state: 'fail', subject: 'accounts' })
    expect(reported.message).not.toContain('hunter2')
    expect((await checkSystemMailbox({ ...settings, sandbox: false })).message).toContain('set SYSTEM_SMTP_URL')
  })
})

describe('the doctor, for stored data', () => {
  it('reports no problem for a valid database and key file', async () => {
    const findings = await checkDatabase(database.pool, settings.secretKeyFile)
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
    expect((await checkKeyFile(settings.secretKeyFile)).message).toMatch(/holds 1 key\. Keep a copy/)
    expect((await checkDataFolder(folder))[0]).toMatchObject({ state: 'ok' })
  })

  it('names the remedy for a missing or world-readable key file', async () => {
    const missing = join(folder, 'missing.key')
    expect(sentences(await checkDatabase(database.pool, missing))).toMatch(/fail secrets .* is missing, and secrets/)
    const open = join(folder, 'open.key')
    await createKeyRing(open)
    await chmod(open, 0o644)
    expect(await checkKeyFile(open)).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('chmod 600') as string,
    })
  })

  it('reports a restored queue that is still frozen', async () => {
    await ensureDeliveryPartitions(database.pool)
    await database.pool.query(
      `insert into deliveries (month, workspace_id, message_id, config_id, recipient, next_attempt_at)
       select date_trunc('month', now() at time zone 'utc')::date, id, id, id, 'bob@example.com', now() + interval '400 years'
       from workspaces`,
    )
    expect(sentences(await checkDatabase(database.pool, settings.secretKeyFile))).toMatch(
      /warn queue 1 mails of a restore are frozen: npm run queue:release/,
    )
  })
})

it('npm run doctor prints a line per check, and exits with status 1 if there is a problem', async () => {
  const environment = { DATA_DIR: folder, DATABASE_URL: url, SANDBOX: 'off' }
  const { code, out } = await runCommand('doctor', [], environment)
  const text = out.toString()
  expect(text).toMatch(/^ok {4}settings {3}All settings are valid\.$/m)
  expect(text).toMatch(/^ok {4}database {3}PostgreSQL \d+/m)
  expect(text).toMatch(/^ok {4}clock /m)
  expect(text).toMatch(/^fail {2}accounts {3}Account mails cannot be sent: set SYSTEM_SMTP_URL\.$/m)
  expect(text).toMatch(/problems? found\.\n$/)
  expect(code).toBe(1)
}, 60_000)

it('TRIAL-46 when X-Forwarded-For arrives and no proxy is trusted, the log holds one warning and npm run doctor names it', async () => {
  await using data = await temporaryFolder()
  await using test = await startTestServer({ DATA_DIR: data.path })
  const doctor = async (environment: Record<string, string> = {}) => {
    const { out } = await runCommand('doctor', [], {
      DATA_DIR: data.path,
      DATABASE_URL: test.database.url,
      ...environment,
    })
    return /^.* proxies .*$/m.exec(out.toString())?.[0]
  }
  expect(await doctor()).toMatch(/^ok +proxies/)
  for (let times = 0; times < 3; times++) {
    await test.call('GET', '/health', { headers: { 'x-forwarded-for': '203.0.113.9' } })
  }
  const warnings = test
    .logged()
    .split('\n')
    .filter((line) => line.includes('X-Forwarded-For arrives and TRUSTED_PROXIES is empty'))
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('"level":40')
  expect(warnings[0]).not.toContain('203.0.113.9')
  expect(await doctor()).toMatch(/^warn +proxies +X-Forwarded-For arrived on \d{4}-.*Set TRUSTED_PROXIES/)
  expect(await doctor({ TRUSTED_PROXIES: '10.0.0.1' })).toMatch(/^ok +proxies +10\.0\.0\.1/)
}, 60_000)

it('npm run doctor reports the cause of an unreachable database', async () => {
  const environment = { DATA_DIR: folder, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/none' }
  const { code, out, err } = await runCommand('doctor', [], environment)
  expect(out.toString()).toMatch(/^fail {2}database {3}The database cannot be reached/m)
  expect(out.toString() + err).not.toContain('hunter2')
  expect(code).toBe(1)
}, 60_000)
