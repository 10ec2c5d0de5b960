import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Campaign } from '../../contract/mail/campaign.ts'
import type { Segment } from '../../contract/audience/segment.ts'
import { createServerHome } from '../../tests/support/server-home.ts'
import { startSinkProcess } from '../../tests/support/sink-process.ts'
import type { Bench, Figure } from '../report.ts'
import { signIn, type Member } from '../../tests/support/import-process.ts'
import { openOwnDatabase } from './own-database.ts'

const contactsCount = 1_000_000
const fillLimitSeconds = 20
const firstMailLimitSeconds = 2
const killCount = 20
const pollMs = 10

/** Launch of a campaign to a segment of a million contacts. Runs with `audience`. */
export const audienceFillBench: Bench = {
  name: 'audience-fill',
  partOf: 'audience',
  title: `Launch of a campaign to a segment of ${contactsCount} contacts`,
  isLong: true,
  async run() {
    await using arena = await createFillArena()
    const { member, pool, sinkPort } = arena
    const id = await createCampaign(member, await connect(member, sinkPort))
    const launchedAt = performance.now()
    await member.call('POST', `/email/campaign/${id}/launch`, {})
    const answeredAt = performance.now()
    await untilFilled(pool, id)
    const filledAt = performance.now()
    await untilSent(pool, id)
    const sentAt = performance.now()
    await requireEach(pool, id)
    const seconds = (from: number, to: number) => (to - from) / 1000
    return [
      {
        case: 'rows ready',
        value: seconds(launchedAt, filledAt),
        unit: 's',
        baseline: fillLimitSeconds,
        against: 'limit',
      },
      { case: 'answer of the launch', value: seconds(launchedAt, answeredAt), unit: 's', baseline: null, against: '' },
      {
        case: 'first mail after it',
        value: seconds(filledAt, sentAt),
        unit: 's',
        baseline: firstMailLimitSeconds,
        against: 'limit',
      },
    ]
  },
}

/** Kills of the server while a campaign is prepared: no recipient is lost or doubled. Runs with `audience`. */
export const audienceFillKillsBench: Bench = {
  name: 'audience-fill-kills',
  partOf: 'audience',
  title: `kill -9 of the server while a campaign is prepared, ${killCount} times`,
  isLong: true,
  async run() {
    await using arena = await createFillArena()
    const { pool } = arena
    const mailboxId = await connect(arena.member, arena.sinkPort)
    // Mails would leave after the last kill only.
    await pool.query('update email_configs set limit_per_minute = 1 where id = $1', [mailboxId])
    const id = await createCampaign(arena.member, mailboxId)
    await arena.member.call('POST', `/email/campaign/${id}/launch`, {})
    const resumeMs: number[] = []
    let kills = 0
    for (; kills < killCount; kills += 1) {
      // A different point of a batch each time.
      await sleep(40 * ((kills * 7) % killCount))
      const before = await filledUpTo(pool, id)
      if (before === null) break
      const killedAt = performance.now()
      await arena.restart()
      let now = await filledUpTo(pool, id)
      while (now !== null && now <= before) {
        await sleep(pollMs)
        now = await filledUpTo(pool, id)
      }
      resumeMs.push(performance.now() - killedAt)
    }
    await untilFilled(pool, id)
    const { lost, doubled } = await compare(pool, id)
    const none = { unit: 'people', baseline: 0, against: 'limit' }
    return [
      { case: `people lost by ${kills} kills`, value: lost, ...none },
      { case: 'people doubled', value: doubled, ...none },
      { case: 'until it goes on, worst', value: Math.max(...resumeMs) / 1000, unit: 's', baseline: null, against: '' },
    ] satisfies Omit<Figure, 'bench'>[]
  },
}

/** A server with a million contacts, and a mail server. */
async function createFillArena() {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sendwright-sink-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const sink = stack.use(await startSinkProcess(join(folder, 'mails'), 0))
  const home = stack.use(
    await createServerHome({ SMTP_ALLOW: `127.0.0.1:${sink.port}`, CALLS_PER_SECOND: '0', LOG_LEVEL: 'warn' }),
  )
  let server = await home.start()
  const member = await signIn(server)
  const database = await openOwnDatabase(home.path)
  stack.defer(() => database.close())
  const { pool } = database
  await pool.query(
    `insert into contacts (workspace_id, email, email_key, fields, source, created_at, updated_at)
     select w.id, 'person.' || n || '@example.com', 'person.' || n || '@example.com',
       jsonb_build_object('1', 'Ada' || n % 1000, '2', 'Lovelace' || n % 5000), 'import', now(), now()
     from (select workspace_id as id from members limit 1) as w, generate_series(1, $1::int) as n`,
    [contactsCount],
  )
  await pool.query('vacuum analyze contacts')
  const moved = stack.move()
  return {
    member,
    pool,
    sinkPort: sink.port,
    async restart() {
      await server.end('SIGKILL')
      server = await home.start()
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGTERM')
      await moved.disposeAsync()
    },
  }
}

async function connect(member: Member, port: number): Promise<string> {
  await member.call('PATCH', '/workspace', { postal_address: '1 Main Street' })
  const { id } = await member.call<{ id: string }>('POST', '/email/config', {
    email_address: 'ann@example.com',
    provider: 'other',
    app_password: 'any',
    smtp_host: '127.0.0.1',
    smtp_port: port,
    smtp_security: 'none',
  })
  return id
}

/** To everyone: the most that a segment can have. */
async function createCampaign(member: Member, mailboxId: string): Promise<string> {
  const rule = { field: 'email', op: 'is_set' }
  const segment = await member.call<Segment>('POST', '/email/segments', { name: 'Everyone', rule })
  const campaign = await member.call<Campaign>('POST', '/email/campaign', {
    subject: 'Doors open, {{first_name}}',
    body: '<p>Dear {{first_name}} {{last_name}}</p>',
    config_id: mailboxId,
    segment: segment.id,
  })
  return campaign.id
}

/** Last contact with a row; null once the preparation has ended. */
async function filledUpTo(pool: Pool, id: string): Promise<number | null> {
  const { rows } = await pool.query<{ status: string; after: number | null }>(
    'select status, fill_after as after from campaigns where id = $1',
    [id],
  )
  const [row] = rows
  return row?.status === 'preparing' ? (row.after ?? 0) : null
}

async function untilFilled(pool: Pool, id: string): Promise<void> {
  while ((await filledUpTo(pool, id)) !== null) await sleep(pollMs)
}

async function untilSent(pool: Pool, id: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      'select from mailbox_usage u join messages m on m.config_id = u.config_id where m.campaign_id = $1 limit 1',
      [id],
    )
    if (rows.length > 0) return
    await sleep(pollMs)
  }
}

async function requireEach(pool: Pool, id: string): Promise<void> {
  const { lost, doubled } = await compare(pool, id)
  if (lost + doubled > 0) throw new Error(`${lost} people are lost, ${doubled} doubled`)
}

/** Contacts without a delivery, and deliveries of an address that has another one. */
async function compare(pool: Pool, id: string): Promise<{ lost: number; doubled: number }> {
  const { rows } = await pool.query<{ count: number; people: number; noted: number }>(
    `select count(*)::int as count, count(distinct recipient)::int as people,
       (select count(*)::int from campaign_recipients where campaign_id = $1) as noted
     from deliveries where campaign_id = $1`,
    [id],
  )
  const { count, people, noted } = rows[0] ?? { count: 0, people: 0, noted: 0 }
  return { lost: contactsCount - Math.min(people, noted), doubled: count - people }
}
