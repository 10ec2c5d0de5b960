import { createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { deriveKey, readKeyRing } from '../../server/store/vault/key-ring.ts'

let server: TestServer
let folder: string
let keyFile: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendwright keys '))
  keyFile = join(folder, 'secret.key')
  server = await startTestServer({ SECRET_KEY_FILE: keyFile })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

it.each([
  ['TRACKING-13 A version 1 unsubscribe link (51 characters) from an older mail still unsubscribes', false, 51],
  ['the link of 72 characters, which contains the workspace, does too', true, 72],
])('%s', async (_title, hasWorkspace, length) => {
  const user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Main Street' } })
  const to = `v1.${length}@example.com`
  const given = { subject: 'News', body: '<p>News</p>', config_id: user.mailboxId, recipients: [to] }
  const { id } = (await server.call('POST', '/email/campaign', { token: user.token, body: given })).body as {
    id: string
  }
  await server.call('POST', `/email/campaign/${id}/launch`, { token: user.token, body: {} })
  await server.mailsTo(to)
  const [row] = await server.sql<{ workspace: string; message: string; id: number }>(
    'select workspace_id as workspace, message_id as message, id::int as id from deliveries where recipient = $1',
    [to],
  )
  const named = Buffer.from(
    ((hasWorkspace ? row!.workspace : '') + row!.message).replaceAll('-', '') + '0'.repeat(12),
    'hex',
  )
  named.writeUIntBE(row!.id, named.length - 6, 6)
  const ring = await readKeyRing(keyFile)
  const key = deriveKey(ring!, ring!.anchorId, 'link')
  const mac = createHmac('sha256', key).update('unsubscribe').update(named).digest().subarray(0, 16)
  const token = Buffer.concat([named, mac]).toString('base64url')
  expect(token).toHaveLength(length)

  expect((await server.call('POST', `/unsubscribe/${token}`)).text).toContain('You are unsubscribed')
  const { body } = await server.call('GET', '/email/suppressions', { token: user.token })
  expect(body).toMatchObject([{ email: to, reason: 'unsubscribed', campaign_id: id }])
})
