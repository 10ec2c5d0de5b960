import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { findRunningPostgres } from '../../server/postgres/find-running.ts'
import { createServerHome } from '../support/server-home.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startSinkProcess } from '../support/sink-process.ts'

const peopleCount = 300

async function signIn({ url, printed }: ServerProcess): Promise<string> {
  const [, email, password] = /email {5}(\S+)\s+password {2}(\S+)/.exec(printed().out) ?? []
  const { access_token: token } = await call<{ access_token: string }>(url, 'POST', '/auth/login', {
    body: { email, password },
  })
  return token
}

async function call<T>(
  url: string,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

it('AUDIENCE-27 kill -9 while a campaign is preparing: it goes on by itself, and every recipient gets one mail', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendwright-sink-'))
  try {
    await using sink = await startSinkProcess(join(folder, 'mails'), 0)
    await using home = await createServerHome({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
    let server = await home.start()
    const token = await signIn(server)
    const api = <T>(method: string, path: string, body?: object) =>
      call<T>(server.url, method, path, { token, ...(body && { body }) })
    await api('PATCH', '/workspace', { postal_address: '1 Main Street' })
    const { id: mailboxId } = await api<{ id: string }>('POST', '/email/config', {
      email_address: 'ann@example.com',
      provider: 'other',
      app_password: 'any',
      smtp_host: '127.0.0.1',
      smtp_port: sink.port,
      smtp_security: 'none',
    })
    const { id: list } = await api<{ id: string }>('POST', '/email/lists', { name: 'All' })
    const people = Array.from({ length: peopleCount }, (_, at) => `person${at}@example.com`)
    const contacts = people.map((email) => ({ email, list_ids: [list] }))
    await api('POST', '/email/contacts/batch', { contacts })
    const { id } = await api<Campaign>('POST', '/email/campaign', {
      subject: 'News',
      body: '<p>Dear {{first_name}}</p>',
      config_id: mailboxId,
      list_ids: [list],
      recipients: ['pasted@example.com'],
    })

    const open = async () => {
      const connection = await findRunningPostgres(home.path)
      if (connection === null) throw new Error('The database is not open')
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }
    const hold = (client: pg.Client, until: string) => client.query(`update campaigns set fill_lease_until = ${until}`)
    // Each lock stops the preparation at another place: its evaluation, the beginning of a batch, and behind the insert of the
    // mails, in the same transaction.
    const locks = [
      'list_members in access exclusive',
      'suppressions in access exclusive',
      'campaign_recipients in share',
    ]
    for (const [index, lock] of locks.entries()) {
      const client = await open()
      await client.query(`begin; lock table ${lock} mode`)
      if (index === 0) {
        const launched = await api<Campaign>('POST', `/email/campaign/${id}/launch`, {})
        expect(launched.status).toBe('preparing')
      }
      const other = await open()
      if (index > 0) await hold(other, 'null')
      const isWaiting = async () => {
        const { rowCount } = await other.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%fill_people%'`,
        )
        return rowCount !== 0
      }
      while (!(await isWaiting())) await sleep(20)
      await server.end('SIGKILL')
      await client.end()
      // The next server starts before it continues, so that the lock can be taken.
      if (index + 1 < locks.length) await hold(other, `now() + interval '1 hour'`)
      await other.end()
      server = await home.start()
    }
    await expect
      .poll(async () => (await api<Campaign>('GET', `/email/campaign/${id}`)).status, {
        timeout: 60_000,
        interval: 200,
      })
      .toBe('finished')
    const received = (await sink.read()).flatMap(({ to }) => to)
    expect(received.toSorted()).toEqual([...people, 'pasted@example.com'].toSorted())
    expect(await server.end('SIGTERM')).toBe(0)
  } finally {
    await rm(folder, { recursive: true })
  }
}, 300_000)
