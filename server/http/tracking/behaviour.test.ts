import { beforeEach, expect, it } from 'vitest'
import type { TimelineEntry } from '../../../contract/audience/contact.ts'
import type { Segment } from '../../../contract/audience/segment.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { CampaignReport } from '../../../contract/results/report.ts'
import { agentTexts } from '../../../tests/support/event-world.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
let email: string
let contactId: string
let campaignId: string
let html: string

const server = await useServer()

const wait = { interval: 100 }
const call = async (method: string, path: string, body?: object) => {
  const answer = await server.call(method, path, { token: user.token, ...(body && { body }) })
  expect(answer.status).toBeLessThan(300)
  return answer.body as unknown
}
const body =
  '<html><body><a href="https://example.org/a">Read</a><a href="https://example.org/b">More</a></body></html>'

/** A mail that was taken a minute ago, in this mode. */
async function mailed(tracking: string): Promise<void> {
  await call('PATCH', '/workspace', { tracking })
  const created = (await call('POST', '/email/campaign', {
    subject: 'News',
    body,
    config_id: user.mailboxId,
    recipients: [email],
  })) as Campaign
  campaignId = created.id
  await call('POST', `/email/campaign/${campaignId}/launch`, {})
  const [mail] = await server.mailsTo(email)
  html = mail!.html ?? ''
  await expect
    .poll(async () => ((await call('GET', `/email/campaign/${campaignId}`)) as Campaign).status, wait)
    .toBe('finished')
  await server.sql(`update deliveries set settled_at = settled_at - interval '1 minute' where campaign_id = $1`, [
    campaignId,
  ])
}
beforeEach(async () => {
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: '1 Main Street' })
  email = `reader.${user.email}`
  contactId = ((await call('POST', '/email/contacts', { email })) as { id: string }).id
})

const linksOf = (kind: 'c' | 'o') =>
  [...html.matchAll(new RegExp(`"http[^"]*(/${kind}/[^"]*)"`, 'g'))].map(([, path]) => path!.replaceAll('&amp;', '&'))
const get = async (path: string, agent: keyof typeof agentTexts = 'firefox', headers: Record<string, string> = {}) =>
  (await server.call('GET', path, { headers: { 'user-agent': agentTexts[agent], ...headers } })).status
const report = async () => (await call('GET', `/email/campaign/${campaignId}/report`)) as CampaignReport
const timeline = async () => (await call('GET', `/email/contacts/${contactId}/timeline`)) as TimelineEntry[]
const makeLive = async (rule: object) =>
  ((await call('POST', '/email/segments', { name: JSON.stringify(rule), rule, is_live: true })) as Segment).id
const membersOf = async (id: string) => ((await call('GET', `/email/segments/${id}`)) as Segment).member_count
const acts = (entries: readonly TimelineEntry[]) =>
  entries
    .filter(({ verdict }) => verdict !== null)
    .map(({ kind, verdict, title, detail }) => [kind, verdict, title, detail])
    .toSorted()

it('DIGEST-05 an opened mail stands in the report, on the contact’s timeline and in a live segment’s result after one digest', async () => {
  await mailed('identified')
  const opened = await makeLive({ behaviour: 'opened', within_days: 7 })
  const clicked = await makeLive({ behaviour: 'clicked', source: { campaigns: [campaignId] } })
  await expect.poll(() => Promise.all([opened, clicked].map(membersOf)), wait).toEqual([0, 0])
  expect(await get(linksOf('o')[0]!)).toBe(200)
  expect(await get(linksOf('c')[0]!)).toBe(302)
  await expect.poll(async () => (await report()).opened.people, wait).toBe(1)
  expect(acts(await timeline())).toEqual([
    ['clicked', 'human', 'News', 'https://example.org/a'],
    ['opened', 'human', 'News', ''],
  ])
  await expect.poll(() => Promise.all([opened, clicked].map(membersOf)), wait).toEqual([1, 1])
})

it('VERDICTS-17 a contact with machine opens and clicks only enters no segment "opened" or "clicked"', async () => {
  await mailed('identified')
  const rules = [{ behaviour: 'opened' }, { behaviour: 'clicked' }, { behaviour: 'clicked', within_days: 30 }]
  const segments = await Promise.all(rules.map(makeLive))
  await get(linksOf('o')[0]!, 'gmailPrefetch')
  await get(linksOf('c')[0]!, 'slack')
  await expect
    .poll(async () => acts(await timeline()), wait)
    .toEqual([
      ['clicked', 'machine', 'News', 'https://example.org/a'],
      ['opened', 'machine', 'News', ''],
    ])
  for (const rule of rules) {
    const found = (await call('GET', `/email/contacts?rule=${encodeURIComponent(JSON.stringify(rule))}`)) as unknown[]
    expect(found).toEqual([])
  }
  // A change of the contact has the live segments evaluated once more.
  const added = await makeLive({ field: 'locale', op: 'is', value: 'de' })
  await call('PATCH', `/email/contacts/${contactId}`, { locale: 'de' })
  await expect.poll(() => membersOf(added), wait).toBe(1)
  await expect.poll(() => Promise.all(segments.map(membersOf)), wait).toEqual([0, 0, 0])
})

it('VERDICTS-18 a link scanner that opens every link of a mail by GET unsubscribes nobody and changes no preference', async () => {
  await mailed('identified')
  const state = async () => [
    await call('GET', '/email/suppressions'),
    await server.sql('select status, frequency, paused_until, locale from contacts where id = $1', [contactId]),
    await server.sql('select list_id, state from list_members where contact_id = $1', [contactId]),
  ]
  const before = await state()
  const paths = [...html.matchAll(/"(http[^"]*)"/g)]
    .map(([, url]) => url!.replaceAll('&amp;', '&'))
    .filter((url) => url.startsWith(server.url))
    .map((url) => url.slice(server.url.length))
  expect(paths.some((path) => path.startsWith('/unsubscribe/'))).toBe(true)
  paths.push(
    ...paths
      .filter((path) => path.startsWith('/unsubscribe/'))
      .map((path) => path.replace('/unsubscribe/', '/preferences/')),
  )
  for (const path of paths) expect(await get(path)).toBeLessThan(400)
  // All three links within moments: the clicks of a scanner, which the report has beside its figure.
  await expect.poll(async () => (await timeline()).filter(({ kind }) => kind === 'clicked').length, wait).toBe(2)
  expect(await state()).toEqual(before)
  expect((await report()).unsubscribed).toBe(0)
})

it('TRACKING-29 with tracking `counts`, opens and clicks raise the totals, and no recipient, contact or export shows who acted', async () => {
  await mailed('counts')
  await get(linksOf('o')[0]!)
  await get(linksOf('c')[0]!)
  const shown = async () => {
    const { opened, clicked } = await report()
    return [opened, clicked]
  }
  await expect.poll(async () => JSON.stringify(await shown()), wait).toMatch(/[1-9]/)
  expect(acts(await timeline())).toEqual([])
  const recipients = await server.call('GET', `/email/campaign/${campaignId}/recipients`, { token: user.token })
  expect(recipients.body).toMatchObject([{ recipient: email, opened_at: null, clicked_at: null }])
  const exported = await server.call('GET', `/email/contacts/${contactId}/export`, { token: user.token })
  expect(exported.text).not.toMatch(/opened|clicked/)
  const [row] = await server.sql(
    'select last_open_at, last_click_at, (select count(*)::int from engagements e where e.workspace_id = c.workspace_id) as engaged from contacts c where id = $1',
    [contactId],
  )
  expect(row).toEqual({ last_open_at: null, last_click_at: null, engaged: 0 })
  const people = (await call(
    'GET',
    `/email/contacts?rule=${encodeURIComponent('{"behaviour":"opened"}')}`,
  )) as unknown[]
  expect(people).toEqual([])
})

it('TRACKING-28 a hit for an erased person is answered like any other and appears on no report; its events go with the person, and the figures stay', async () => {
  await mailed('identified')
  await get(linksOf('o')[0]!)
  await get(linksOf('c')[0]!)
  const figures = async () => {
    const { opened, clicked } = await report()
    return { opened, clicked }
  }
  await expect.poll(async () => (await report()).clicked.people, wait).toBe(1)
  const before = await figures()
  await call('POST', `/email/contacts/${contactId}/erase`)
  const kept = () =>
    server.sql(
      `select (select count(*)::int from events where source_id = $1) as events,
         (select count(*)::int from engagements where source_id = $1 and contact_id is not null) as engaged,
         (select count(*)::int from link_clicks where source_id = $1 and contact_id is not null) as clicked`,
      [campaignId],
    )
  expect(await kept()).toEqual([{ events: 0, engaged: 0, clicked: 0 }])
  expect(await get(linksOf('c')[1]!)).toBe(302)
  // The hit of another mail shows that the digest has passed the one of the erased person.
  const [erased, other] = [campaignId, `other.${user.email}`]
  email = other
  contactId = ((await call('POST', '/email/contacts', { email })) as { id: string }).id
  await mailed('identified')
  await get(linksOf('o')[0]!)
  await expect.poll(async () => (await report()).opened.people, wait).toBe(1)
  campaignId = erased
  expect(await kept()).toEqual([{ events: 0, engaged: 0, clicked: 0 }])
  expect(await figures()).toEqual(before)
})

it('DIGEST-09 mails keep leaving while events are waiting to be digested, and every waiting event is counted afterwards', async () => {
  await mailed('identified')
  // Another process holds the digest of this workspace.
  const [{ workspace_id: workspaceId }] = (await server.sql<{ workspace_id: string }>(
    'select workspace_id from campaigns where id = $1',
    [campaignId],
  )) as [{ workspace_id: string }]
  await expect
    .poll(async () => {
      await server.sql(
        `insert into digest_leases (workspace_id, holder, token, lease_until)
         values ($1, 'another', gen_random_uuid(), now() + interval '50 seconds') on conflict do nothing`,
        [workspaceId],
      )
      const [lease] = await server.sql('select holder from digest_leases where workspace_id = $1', [workspaceId])
      return lease
    }, wait)
    .toEqual({ holder: 'another' })
  const first = campaignId
  const paths = [linksOf('o')[0]!, linksOf('c')[0]!]
  for (const path of paths) await get(path)
  const waiting = async () =>
    (
      await server.sql<{ count: number }>(
        'select count(*)::int as count from event_inbox where workspace_id = $1 and kind in (1, 2)',
        [workspaceId],
      )
    )[0]!.count
  await expect.poll(waiting, wait).toBe(2)
  email = `later.${user.email}`
  await mailed('identified')
  expect(await waiting()).toBe(2)
  await server.sql('delete from digest_leases where workspace_id = $1', [workspaceId])
  campaignId = first
  await expect.poll(async () => (await report()).opened.people, wait).toBe(1)
  expect((await report()).clicked.people).toBe(1)
})
