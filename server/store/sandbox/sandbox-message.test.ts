import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createSandboxMessageStore, type NewSandboxMessage } from './sandbox-message.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import { bindScope } from '../../domain/auth/scope.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
})

afterAll(async () => {
  await database.close()
  await drop()
})

const mail = (given: Partial<NewSandboxMessage>): NewSandboxMessage => ({
  from: 'ann@example.com',
  to: ['bob@example.com'],
  subject: 'Hi',
  html: '<p>Hi</p>',
  text: 'Hi',
  headers: { subject: 'Hi' },
  raw: Buffer.from('Subject: Hi\r\n\r\nHi'),
  ...given,
})

describe('mails in the sandbox', () => {
  it('are listed newest first, by recipient in any case, and found by id', async () => {
    const store = bindScope(createSandboxMessageStore(database.pool), systemScope)
    await store.insert(mail({ subject: 'one' }))
    await store.insert(mail({ subject: 'two', to: ['Eve@Example.com', 'bob@example.com'], html: null, text: null }))
    await store.insert(mail({ subject: 'three', to: ['eve@example.com'] }))
    const subjects = async (to: string | null, limit = 10) =>
      (await store.list({ to, limit })).map(({ subject }) => subject)
    expect(await subjects(null)).toEqual(['three', 'two', 'one'])
    expect(await subjects(null, 2)).toEqual(['three', 'two'])
    expect(await subjects('BOB@example.com')).toEqual(['two', 'one'])
    expect(await subjects('eve@example.com')).toEqual(['three', 'two'])
    expect(await subjects('nobody@example.com')).toEqual([])
    const [newest] = await store.list({ to: null, limit: 1 })
    expect(await store.find(newest?.id ?? '')).toEqual(newest)
    expect(newest).toMatchObject({
      from: 'ann@example.com',
      to: ['eve@example.com'],
      html: '<p>Hi</p>',
      headers: { subject: 'Hi' },
      raw: 'Subject: Hi\r\n\r\nHi',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    })
  })

  it.each(['', 'x', '-1', '1e3', '99999999999999999999', "1' or 1=1", '0'])(
    'the invalid id %j is not found',
    async (id) => {
      expect(await bindScope(createSandboxMessageStore(database.pool), systemScope).find(id)).toBeNull()
    },
  )

  it('may contain NUL', async () => {
    const store = bindScope(createSandboxMessageStore(database.pool), systemScope)
    await store.insert(mail({ subject: 'a\0b', text: '\0', headers: { 'x-\0': '\0' }, raw: Buffer.from([0, 1, 255]) }))
    expect((await store.list({ to: null, limit: 1 }))[0]).toMatchObject({ subject: 'a\uFFFDb', text: '\uFFFD' })
  })
})
