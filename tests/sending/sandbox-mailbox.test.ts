import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { errors } from '../../contract/core/errors.ts'
import { createUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'

let sink: SmtpSink
let connectionCount = 0
const other = createServer((socket) => {
  connectionCount += 1
  socket.end('* OK IMAP4rev1\r\n')
})
beforeAll(async () => {
  sink = await startSmtpSink({})
  await once(other.listen(0), 'listening')
})
afterAll(async () => {
  other.close()
  await sink.close()
})

const listeners = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length

/** Starts a server; `opened`: sockets on which it listens. */
async function start(environment: Record<string, string>): Promise<{ server: TestServer; opened: number }> {
  const before = listeners()
  const server = await startTestServer(environment)
  return { server, opened: listeners() - before }
}

it('INBOXSTANDIN-07 with the sandbox on, any other loopback host and port is refused; with it off, the stand-in does not listen', async () => {
  const on = await start({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  await using server = on.server
  const user = await createUser(server)
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const body = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  const { id } = (await server.call('POST', '/email/config', { token: user.token, body })).body as { id: string }
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    for (const port of [(other.address() as AddressInfo).port, 993]) {
      const changes = {
        reading: true,
        imap_host: host,
        imap_port: port,
        imap_security: port === 993 ? 'tls' : 'starttls',
      }
      const answer = await server.call('PATCH', `/email/configs/${id}`, { token: user.token, body: changes })
      expect([host, port, answer.status, answer.body.detail]).toEqual([
        host,
        port,
        400,
        errors.imap_unreachable.sentence,
      ])
    }
  }
  expect(connectionCount).toBe(0)

  const off = await start({ SANDBOX: 'off' })
  await using plain = off.server
  expect(plain.server.sandboxMailbox).toBeNull()
  // HTTP alone; with the sandbox SMTP and IMAP beside it.
  expect([off.opened, on.opened]).toEqual([1, 3])
})
