import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { errors } from '../../contract/core/errors.ts'
import { operations } from '../../contract/core/operations.ts'
import type { Operation } from '../../contract/core/operation.ts'
import { createDatabase, startTcpPostgres, type OwnTestServer } from '../support/postgres-server.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { startTestServer, type Answer, type TestServer } from '../support/server.ts'

const away = { detail: errors.database_away.sentence }
const hostedKey = `hr_${randomBytes(32).toString('base64url')}`
const text = { recipient_list: ['ann@example.com'], subject: 'Hello', content: 'Good morning.' }
/** Bodies of calls that reach the database by their content: calls without authentication, or authenticated before. */
const bodies: Record<string, object> = {
  signUp: { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', password: 'correct horse' },
  signIn: { email: 'ann@example.com', password: 'correct horse' },
  sendMailWithKeyApi: text,
  answerSandboxMessage: { kind: 'bounce' },
}
/** Calls that need no database, or redirect a browser with an error message. */
const needless = ['getHealth', 'getReadiness', 'getOpenApi', 'startGoogleSignIn', 'finishGoogleSignIn']
/** A malformed token or key is rejected without a query. */
const withoutQuery = [
  ...['exchangeSignInCode', 'updatePassword', 'confirmEmail', 'getEmbedConfig', 'exchangeEmbedCode'],
  ...['getImageFile', 'allowTrackingHost'],
]

let postgres: OwnTestServer
let server: TestServer
let user: TestUser
let unsubscribePath: string
let loggedBefore: number

function call({ name, method, path, access }: Operation): Promise<Answer> {
  const isHosted = access === 'hosted' || access === 'hosted-user'
  const headers: Record<string, string> = isHosted ? { 'x-api-key': hostedKey } : {}
  const token = access === 'key' || access === 'opener' ? user.secretKey : isHosted ? undefined : user.token
  const filled = path
    .replace('{secret_key}', user.secretKey)
    .replace('{value}', user.email)
    .replaceAll(/\{\w+\}/g, access === 'loopback' ? '1' : user.mailboxId)
  return server.call(method, filled, { token, headers, ...(bodies[name] && { body: bodies[name] }) })
}

/** Sends a campaign's mail and returns the path of its unsubscribe link. */
async function mailCampaign(): Promise<string> {
  const { token, mailboxId: config_id } = user
  await server.call('PATCH', '/workspace', { token, body: { postal_address: '1 Main Street' } })
  const given = { subject: 'News', body: '<p>News</p>', config_id, recipients: ['ann@example.com'] }
  const { body } = await server.call('POST', '/email/campaign', { token, body: given })
  await server.call('POST', `/email/campaign/${(body as Campaign).id}/launch`, { token, body: {} })
  const [mail] = await server.mailsTo('ann@example.com')
  return new URL(/<(http[^>]+)>/.exec(mail!.headers['list-unsubscribe'] ?? '')![1]!).pathname
}

beforeAll(async () => {
  postgres = await startTcpPostgres()
  const database = await createDatabase(postgres)
  server = await startTestServer({}, { database: { ...database, drop: () => Promise.resolve() } })
  user = await createUser(server)
  unsubscribePath = await mailCampaign()
  const { status } = await server.call('POST', `/api/send-mail/${user.secretKey}`, { body: text })
  expect(status).toBe(200)
  const areSettled = async () => (await server.sql(`select from deliveries where state <> 'sent'`)).length === 0
  await vi.waitUntil(areSettled, { timeout: 40_000, interval: 20 })
  loggedBefore = server.logged().length
  await postgres.stop()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await postgres.stop()
})

describe('while the database is unreachable', () => {
  it('every call that needs it returns 503, with a retry message and Retry-After', async () => {
    const others: Record<string, number> = {}
    for (const operation of operations) {
      const answer = await call(operation)
      const isAway = answer.status === 503 && answer.headers.get('retry-after') === '2'
      if (!isAway || JSON.stringify(answer.body) !== JSON.stringify(away)) others[operation.name] = answer.status
    }
    expect(Object.keys(others).sort()).toEqual([...needless, ...withoutQuery].sort())
    expect(Object.entries(others).filter(([name, status]) => status >= 500 && name !== 'getReadiness')).toEqual([])
  })

  it.each(['GET', 'POST'])(
    '%s of the link in a mail returns 503 to a program, and a page to a browser',
    async (method) => {
      const answer = await server.call(method, unsubscribePath)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.text).toContain('Please try again in a minute.')
    },
  )

  it('/health reports that the process is alive, /ready and /metrics that the database does not respond', async () => {
    expect((await server.call('GET', '/health')).status).toBe(200)
    const { status, body } = await server.call('GET', '/ready')
    expect([status, body]).toEqual([503, expect.objectContaining({ status: 'starting', database: false })])
    expect((await server.call('GET', '/metrics')).text).toContain('sendwright_database_up 0')
  })

  it('the log records the outage, and no error for any of the calls', () => {
    const lines = server.logged().slice(loggedBefore).trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line) as { level: number; msg: string })
    expect(entries.filter(({ level }) => level >= 50)).toEqual([])
    expect(entries.map(({ msg }) => msg)).toContain('A connection to the database broke')
  })
})
