import { hash } from '@node-rs/argon2'
import { randomBytes, randomUUID } from 'node:crypto'
import { formatToken, hashToken, tokenBytes } from '../../server/domain/auth/token.ts'
import { mailboxPlace } from '../../server/store/mailboxes/mailbox-row.ts'
import { tokenIn, type TestServer } from './server.ts'

/** A user with a confirmed account and the sandbox mailbox connected. */
export interface TestUser {
  email: string
  password: string
  token: string
  workspaceId: string
  mailboxId: string
  secretKey: string
}

const password = 'correct horse'
/** A cheap hash of it: the server reads its parameters from it. */
let passwordHash: Promise<string> | undefined

let userCount = 0
const newAddress = () => `person${++userCount}.${randomBytes(4).toString('hex')}@example.com`

/** Writes a confirmed user with a session and the sandbox mailbox, as `signUpUser` leaves them, in one statement. */
export async function createUser({ sql, vault }: Pick<TestServer, 'sql' | 'vault'>): Promise<TestUser> {
  passwordHash ??= hash(password, { memoryCost: 1024, timeCost: 1, parallelism: 1 })
  const email = newAddress()
  const [userId, workspaceId, mailboxId] = [randomUUID(), randomUUID(), randomUUID()]
  const token = formatToken('access', randomBytes(tokenBytes))
  const secretKey = formatToken('secret_key', randomBytes(tokenBytes))
  const sealed = (column: string, secret: string) => vault.seal(secret, mailboxPlace(column, mailboxId, workspaceId))
  await sql(
    `with account as (
       insert into users (id, email, first_name, last_name, password_hash, email_confirmed_at)
       values ($1, $2, 'Ann', 'Lee', $3, now())
     ), workspace as (
       insert into workspaces (id, name) values ($4, 'Ann Lee')
     ), member as (
       insert into members (workspace_id, user_id, role) values ($4, $1, 'owner')
     ), session as (
       insert into sessions (id, user_id, token_hash, expires_at) values ($5, $1, $6, now() + interval '30 days')
     )
     insert into email_configs
       (workspace_id, id, email_address, provider, app_password_sealed, secret_key_sealed, secret_key_lookup)
     values ($4, $7, 'sandbox@localhost', 'other', $8, $9, $10)`,
    [
      userId,
      email,
      await passwordHash,
      workspaceId,
      randomUUID(),
      hashToken(token),
      mailboxId,
      sealed('app_password', 'any'),
      sealed('secret_key', secretKey),
      vault.lookup(secretKey),
    ],
  )
  return { email, password, token, workspaceId, mailboxId, secretKey }
}

/** Signs up, confirms by the mailed link, signs in and connects the sandbox mailbox: what `createUser` writes at once. */
export async function signUpUser({ call, mailsTo, sql }: TestServer): Promise<TestUser> {
  const email = newAddress()
  await call('POST', '/auth/', { body: { first_name: 'Ann', last_name: 'Lee', email, password } })
  const [mail] = await mailsTo(email)
  await call('GET', `/auth/confirm-email/${tokenIn(mail!)}`)
  const { body: session } = await call('POST', '/auth/login', { body: { email, password } })
  const token = (session as { access_token: string }).access_token
  const { body: config } = await call('POST', '/email/config', {
    token,
    body: { email_address: 'sandbox@localhost', provider: 'other', app_password: 'any' },
  })
  const { id: mailboxId, secret_key: secretKey } = config as { id: string; secret_key: string }
  const rows = await sql<{ id: string }>('select workspace_id as id from email_configs where id = $1', [mailboxId])
  return { email, password, token, workspaceId: rows[0]!.id, mailboxId, secretKey }
}
