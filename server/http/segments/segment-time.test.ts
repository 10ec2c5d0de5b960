import { beforeEach, expect, it } from 'vitest'
import type { Segment, SegmentPreview } from '../../../contract/audience/segment.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const dayMs = 86_400_000
const minuteMs = 60_000

let user: TestUser
/** By how much the server's clock is ahead. */
let aheadMs = 0

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
})

// A jump of the clock makes all periodic tasks due at once.
const wait = { timeout: 60_000, interval: 100 }
const call = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: user.token, ...(body && { body }) })
const advance = (ms: number) => {
  server.advance(ms)
  aheadMs += ms
}
const countOf = async (id: string) => ((await call('GET', `/email/segments/${id}`)).body as Segment).member_count
const makeLive = async (rule: object) =>
  (await call('POST', '/email/segments', { name: 'Live', rule, is_live: true })).body as Segment
async function peopleOf(rule: object): Promise<string[]> {
  const { text } = await call('POST', '/email/segments/preview', { rule })
  const [exact] = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as SegmentPreview)
  return exact?.contacts.map(({ email }) => email).sort() ?? []
}

it('SEGMENTS-10 a rule on mails sent finds contacts that were, and contacts that were not, sent anything within days', async () => {
  await call('PATCH', '/workspace', { postal_address: '1 Main Street' })
  await call('POST', '/email/contacts/batch', {
    contacts: [{ email: `ada.${user.email}` }, { email: `bo.${user.email}` }, { email: `cy.${user.email}` }],
  })
  const body = { subject: 'News', body: '<p>News</p>', config_id: user.mailboxId, recipients: [`ada.${user.email}`] }
  const { id } = (await call('POST', '/email/campaign', body)).body as Campaign
  await call('POST', `/email/campaign/${id}/launch`, {})
  await expect
    .poll(async () => ((await call('GET', `/email/campaign/${id}`)).body as Campaign).status, wait)
    .toBe('finished')
  await server.call('POST', `/api/send-mail/${user.secretKey}`, {
    body: { recipient_list: [`bo.${user.email}`], subject: 'Hello', content: 'Hello' },
  })
  await server.mailsTo(`bo.${user.email}`)
  const old = 'update deliveries set settled_at = settled_at - $2::interval where recipient = $1'
  await expect
    .poll(() => server.sql(`select state from deliveries where recipient = $1`, [`bo.${user.email}`]), wait)
    .toEqual([{ state: 'sent' }])
  await server.sql(old, [`bo.${user.email}`, '40 days'])
  const within = { behaviour: 'was_sent', within_days: 30 }
  expect(await peopleOf(within)).toEqual([`ada.${user.email}`])
  expect(await peopleOf({ not: within })).toEqual([`bo.${user.email}`, `cy.${user.email}`])
  expect(await peopleOf({ behaviour: 'was_sent' })).toEqual([`ada.${user.email}`, `bo.${user.email}`])
  expect(await peopleOf({ behaviour: 'was_sent', source: { campaigns: [id] } })).toEqual([`ada.${user.email}`])
})

it('SEGMENTS-32 a member leaves a live segment within 15 minutes of the day that ends its match', async () => {
  await call('POST', '/email/contacts', { email: 'new@example.org' })
  const segment = await makeLive({ field: 'created_at', op: 'within_days', value: 1 })
  await expect.poll(() => countOf(segment.id), wait).toBe(1)
  // The first evaluations end a minute after the segment became live.
  advance(2 * minuteMs)
  const due = () =>
    server.sql<{ hours: number }>(
      `select extract(epoch from next_evaluation_at) / 3600 - $2::float8 / 3600000 as hours from segments where id = $1`,
      [segment.id, Date.now() + aheadMs],
    )
  await expect.poll(async () => Number((await due())[0]?.hours), wait).toBeGreaterThan(0.01)
  const now = Date.now() + aheadMs
  const dayAfterTomorrow = (Math.floor(now / dayMs) + 2) * dayMs
  advance(dayAfterTomorrow - now - minuteMs)
  await expect.poll(async () => Number((await due())[0]?.hours), wait).toBeGreaterThan(0.001)
  expect(await countOf(segment.id)).toBe(1)
  advance(16 * minuteMs)
  await expect.poll(() => countOf(segment.id), wait).toBe(0)
}, 200_000)

it('a live rule on mails follows them within 15 minutes', async () => {
  const email = `ada.${user.email}`
  await call('POST', '/email/contacts', { email })
  const segment = await makeLive({ behaviour: 'was_sent' })
  await expect.poll(() => countOf(segment.id), wait).toBe(0)
  await server.call('POST', `/api/send-mail/${user.secretKey}`, {
    body: { recipient_list: [email], subject: 'Hello', content: 'Hello' },
  })
  await server.mailsTo(email)
  await expect
    .poll(() => server.sql('select state from deliveries where recipient = $1', [email]), wait)
    .toEqual([{ state: 'sent' }])
  advance(15 * minuteMs)
  await expect.poll(() => countOf(segment.id), wait).toBe(1)
})
