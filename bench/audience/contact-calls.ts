import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Contact } from '../../contract/audience/contact.ts'
import type { List } from '../../contract/audience/list.ts'
import type { Segment } from '../../contract/audience/segment.ts'
import { quantile, type Figure } from '../report.ts'
import type { Member } from '../../tests/support/import-process.ts'
import { emailOf } from './people.ts'

const callCount = 100
const warmUpCount = 5
const limitMs = 50
/** A server that answers one caller at a time leaves the database idle between the calls of a person. */
const pauseMs = 5

/** What a workspace with history has: contacts without mail, contacts with activity, a large list, a small one and a segment. */
async function prepare(pool: Pool, { call }: Member): Promise<{ large: string; small: string; segment: string }> {
  const [large, small] = await Promise.all(
    ['Large', 'Small'].map((name) => call<List>('POST', '/email/lists', { name })),
  )
  const rule = { field: 1, op: 'is', value: 'ada' }
  const segment = await call<Segment>('POST', '/email/segments', { name: 'Ada', rule })
  await pool.query(
    `insert into list_members (workspace_id, list_id, contact_id, state, at)
     select workspace_id, l, id, 'subscribed', now() from contacts, unnest($1::bigint[], $2::int[]) as list (l, every)
     where id % every = 0`,
    [
      [large?.id, small?.id],
      [2, 1000],
    ],
  )
  await pool.query(
    `update contacts set status = case when id % 50 = 0 then 'unsubscribed' else status end,
       last_sent_at = case when id % 3 = 0 then now() - id * interval '1 second' else last_sent_at end
     where id % 50 = 0 or id % 3 = 0`,
  )
  // As the server's own autovacuum does within a minute.
  await pool.query('vacuum analyze contacts, list_members')
  return { large: large?.id ?? '', small: small?.id ?? '', segment: segment.id }
}

/** p95 of the calls of the contacts screen. */
export async function measureContactCalls(pool: Pool, member: Member, count: number): Promise<Omit<Figure, 'bench'>[]> {
  const { large, small, segment } = await prepare(pool, member)
  const middle = await middleOf(pool)
  const at = (call: number) => (call * 7919) % count
  const rule = (of: object) => `rule=${encodeURIComponent(JSON.stringify(of))}`
  const cursor = (...values: (string | number)[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
  const cases: Record<string, (call: number) => string> = {
    'first page': () => '',
    'a page in the middle': (call) => `cursor=${cursor('newest', middle.id - call, middle.id - call)}`,
    'sort by email': () => 'sort=email',
    'sort by email, in the middle': () => `sort=email&cursor=${cursor('email', middle.email, middle.id)}`,
    'sort by last activity': () => 'sort=last_activity',
    'search: one address': (call) => `search=${emailOf(at(call))}`,
    'search: beginning of addresses': (call) => `search=ada.${call % 100}`,
    'search: beginning of addresses, by last activity': (call) => `search=ada.${call % 100}&sort=last_activity`,
    'search: a domain': (call) => `search=@mail${at(call) % 997}`,
    'search: a first name': () => 'search=jürgen',
    'search: a last name': (call) => `search=rossi${at(call) % 5000}`,
    'search: nothing matches': (call) => `search=zzz${call}`,
    'a list of half of them': () => `list_id=${large}`,
    'a list of 1 in 1,000': () => `list_id=${small}`,
    'a list of 1 in 1,000, by email': () => `list_id=${small}&sort=email`,
    'a segment of 1 in 12': () => `segment_id=${segment}`,
    'status unsubscribed': () => 'status=unsubscribed',
    'a rule, 1 in 11': () => rule({ field: 'email', op: 'starts_with', value: 'ada' }),
    'a rule with a list': () =>
      rule({
        all: [
          { field: 1, op: 'is', value: 'Jürgen' },
          { list: large, op: 'member_of' },
        ],
      }),
    'a first name in a list': () => `search=jür&list_id=${large}`,
  }
  const figures = await timeCalls(member, cases)
  await sortOldByName(pool)
  return [
    ...figures,
    ...(await timeCalls(member, {
      'search: a letter, all 1 in 10 old': () => 'search=z',
      'search: a first name, all 1 in 10 old': () => 'search=zacharias',
      'search: the same, status unsubscribed': () => 'search=zacharias&status=unsubscribed',
      'search: the same, by last activity': () => 'search=zacharias&sort=last_activity',
      'search: the same, by email': () => 'search=zacharias&sort=email',
      'search: the same, in a list': () => `search=zacharias&list_id=${large}`,
    })),
  ]
}

/** A file that was sorted by name leaves the first names of the oldest tenth in one piece. */
async function sortOldByName(pool: Pool): Promise<void> {
  await pool.query(
    `update contacts set fields = jsonb_set(fields, '{1}', '"Zacharias"')
     where id < (select min(id) + (max(id) - min(id)) / 10 from contacts)`,
  )
  await pool.query('vacuum analyze contacts')
}

/** p95 of each case. */
async function timeCalls(
  member: Member,
  cases: Record<string, (call: number) => string>,
): Promise<Omit<Figure, 'bench'>[]> {
  const figures: Omit<Figure, 'bench'>[] = []
  for (const [name, queryOf] of Object.entries(cases)) {
    const timesMs: number[] = []
    for (let call = -warmUpCount; call < callCount; call++) {
      const startedAt = performance.now()
      await member.call<Contact[]>('GET', `/email/contacts?${queryOf(call + warmUpCount)}`)
      if (call >= 0) timesMs.push(performance.now() - startedAt)
      await sleep(pauseMs)
    }
    const value = quantile(timesMs, 0.95)
    figures.push({ case: `contacts, ${name}`, value, unit: 'ms', baseline: limitMs, against: 'limit' })
  }
  return figures
}

async function middleOf(pool: Pool): Promise<{ id: number; email: string }> {
  const { rows } = await pool.query<{ id: number; email: string }>(
    `select id, email_key as email from contacts
     where id >= (select (min(id) + max(id)) / 2 from contacts) order by id limit 1`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('There are no contacts')
  return { id: row.id, email: row.email }
}
