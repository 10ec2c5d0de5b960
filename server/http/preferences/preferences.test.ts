import { beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
let email: string
let path: string
let newsId: string
let offersId: string

const server = await useServer()

const wait = { interval: 50 }
let count = 0
const call = async (method: string, to: string, body?: object) => {
  const answer = await server.call(method, to, { token: user.token, ...(body && { body }) })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}
const createList = async (name: string, isPublic: boolean): Promise<string> =>
  String((await call('POST', '/email/lists', { name, is_public: isPublic })).id)
const post = (form: string, headers: Record<string, string> = {}) =>
  server.call('POST', path, { raw: form, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
const page = async () => (await server.call('GET', path)).text
const topicsOn = async () => [...(await page()).matchAll(/value="(\d+)" checked/g)].map(([, id]) => id).sort()

/** Launches a campaign to lists and waits for its end. */
async function campaignTo(listIds: string[], given: object = {}): Promise<Campaign> {
  const { id } = await call('POST', '/email/campaign', {
    subject: 'News',
    body: '<p>News <a href="{{preferences_url}}">Preferences</a></p>',
    config_id: user.mailboxId,
    list_ids: listIds,
    ...given,
  })
  await call('POST', `/email/campaign/${id}/launch`, {})
  await expect.poll(async () => (await call('GET', `/email/campaign/${id}`)).status, wait).toMatch(/finished|failed/)
  return call('GET', `/email/campaign/${id}`)
}
/** A second member, so that a campaign has a recipient. */
async function addOther(): Promise<void> {
  const other = `other.${email}`
  await call('POST', '/email/contacts', { email: other })
  await server.sql(
    `insert into list_members (workspace_id, list_id, contact_id, state, at)
     select workspace_id, $2, id, 'subscribed', now() from contacts where email = $1`,
    [other, newsId],
  )
}
const leftOutOf = async ({ id }: Campaign) =>
  (await server.sql<{ counts: object }>('select fill_counts as counts from campaigns where id = $1', [id]))[0]!.counts

beforeEach(async () => {
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: '1 Main Street' })
  email = `reader${++count}@example.com`
  newsId = await createList('News & more', true)
  offersId = await createList('Offers', true)
  const secretId = await createList('Internal', false)
  for (const list_id of [newsId, secretId]) {
    const contact = await server.call('POST', '/email/contacts', {
      token: user.token,
      body: { email, list_ids: [list_id] },
    })
    if (contact.status >= 300)
      await server.sql(
        `insert into list_members (workspace_id, list_id, contact_id, state, at)
       select workspace_id, $2, id, 'subscribed', now() from contacts where email = $1`,
        [email, list_id],
      )
  }
  await server.sql(
    `insert into list_members (workspace_id, list_id, contact_id, state, at)
     select workspace_id, $2, id, 'subscribed', now() from contacts where email = $1 on conflict do nothing`,
    [email, newsId],
  )
  await campaignTo([newsId])
  const [mail] = await server.mailsTo(email)
  path = new URL(/href="(http[^"]*\/preferences\/[^"]*)"/.exec(mail!.html ?? '')![1]!).pathname
  // The digest has counted the mail.
  await expect
    .poll(() => server.sql('select sent_count from contacts where email = $1', [email]))
    .toEqual([{ sent_count: 1 }])
  // The campaign of this week was to set up the test.
  await server.sql('delete from frequency_use')
})

describe('the preference page', () => {
  it('PREFERENCES-01 A call of `GET /preferences/{token}` shows the public lists as topics, frequency, pause, language and "stop everything", as they are in force for the person', async () => {
    const answer = await server.call('GET', path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    for (const text of ['News &amp; more', 'Offers', 'How often', 'Pause', 'Language', 'Stop everything'])
      expect(answer.text).toContain(text)
    expect(await topicsOn()).toEqual([newsId])
    expect(answer.text).toContain('value="all" checked')
    expect(answer.text).not.toContain(email)
  })

  it('PREFERENCES-02 A call of `GET /preferences/{token}` changes nothing, however often and with whatever headers it is called', async () => {
    const state = () =>
      server.sql(
        'select c.*, (select json_agg(m) from list_members m where m.contact_id = c.id) as lists from contacts c where email = $1',
        [email],
      )
    const before = await state()
    for (const headers of [{}, { purpose: 'prefetch' }, { 'list-unsubscribe': 'One-Click' }])
      await server.call('GET', path + '?act=stop&topic=', { headers })
    await server.call('HEAD', path)
    expect(await state()).toEqual(before)
    expect((await call('GET', '/email/suppressions')) as unknown[]).toEqual([])
  })

  it('PREFERENCES-03 With scripts off, every choice can be saved by submitting the form, and the answer says that it was saved', async () => {
    const { text, headers } = await post(`act=save&topic=${offersId}&frequency=weekly&pause=60&language=de`)
    expect(text).toContain('Your choices are saved.')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await topicsOn()).toEqual([offersId])
    const shown = await page()
    expect(shown).toContain('value="weekly" checked')
    expect(shown).toMatch(/Paused until \d{4}-\d\d-\d\d/)
  })

  it('PREFERENCES-04 A private list never appears on the preference page', async () => {
    expect(await page()).not.toContain('Internal')
    expect((await post('act=stop')).text).not.toContain('Internal')
  })

  it('PREFERENCES-05 Taking the mark off a topic unsubscribes from that list and leaves the other topics as they were', async () => {
    await post(`act=save&topic=${newsId}&topic=${offersId}`)
    await post(`act=save&topic=${offersId}`)
    const rows = await server.sql(
      `select l.name, m.state from list_members m join lists l on l.id = m.list_id
         join contacts c on c.id = m.contact_id where c.email = $1 order by l.name`,
      [email],
    )
    expect(rows).toEqual([
      { name: 'Internal', state: 'subscribed' },
      { name: 'News & more', state: 'unsubscribed' },
      { name: 'Offers', state: 'subscribed' },
    ])
  })

  it('PREFERENCES-09 The chosen language is kept and selected when the page is opened again', async () => {
    await post(`act=save&topic=${newsId}&language=fr`)
    expect(await page()).toContain('<option value="fr" selected>')
    await post(`act=save&topic=${newsId}&language=xx`)
    expect(await page()).toContain('<option value="fr" selected>')
  })

  it('PREFERENCES-11 A truncated, altered or foreign token shows the state "link invalid" with 404 `not_found` and changes nothing', async () => {
    const token = path.split('/').at(-1)!
    for (const wrong of [token.slice(0, -1), `${token}A`, `B${token.slice(1)}`, 'x']) {
      const answers = [
        await server.call('GET', `/preferences/${wrong}`),
        await server.call('POST', `/preferences/${wrong}`, { raw: 'act=stop' }),
      ]
      for (const { status, text } of answers)
        expect([status, text.includes('This link is invalid')]).toEqual([404, true])
    }
    expect((await call('GET', '/email/suppressions')) as unknown[]).toEqual([])
  })

  it('PREFERENCES-12 A POST that names an unknown topic, or a list of another workspace, joins no list through it', async () => {
    const mine = user
    user = await createUser(server)
    const foreign = await createList('Foreign', true)
    user = mine
    const [secret] = await server.sql<{ id: string }>(
      `select id::text from lists where name = 'Internal' order by id desc limit 1`,
    )
    await post(`act=save&topic=${newsId}&topic=999999999&topic=${foreign}&topic=x&topic=${offersId}%27--`)
    expect(await topicsOn()).toEqual([newsId])
    await post(`act=save&topic=${newsId}&topic=${secret!.id}`)
    const rows = await server.sql(
      'select from list_members m join contacts c on c.id = m.contact_id where c.email = $1',
      [email],
    )
    expect(rows).toHaveLength(2)
  })

  it('PREFERENCES-13 A POST with both `weekly` and "stop" does not lose the stop: the page shows what is in force', async () => {
    const { text } = await post(`act=save&frequency=weekly&act=stop&topic=${newsId}`)
    expect(text).toContain('Already stopped')
    expect(await call('GET', '/email/suppressions')).toMatchObject([{ email, reason: 'unsubscribed' }])
  })

  it('PREFERENCES-14 Two equal POSTs at once leave the state of one, and both are answered without an error', async () => {
    await server.sql('delete from contacts where email = $1', [email])
    const form = `act=save&topic=${offersId}&frequency=weekly`
    const answers = await Promise.all([post(form), post(form), post(form)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await topicsOn()).toEqual([offersId])
    expect(await server.sql('select from contacts where email = $1', [email])).toHaveLength(1)
  })

  it('PREFERENCES-15 A POST with a prefetch header changes nothing', async () => {
    const all: Record<string, string>[] = [
      { purpose: 'prefetch' },
      { 'sec-purpose': 'prefetch' },
      { 'x-moz': 'prefetch' },
    ]
    for (const headers of all) {
      const { status, text } = await post('act=stop', headers)
      expect([status, text.includes('Your mail preferences')]).toEqual([200, true])
    }
    expect((await call('GET', '/email/suppressions')) as unknown[]).toEqual([])
  })

  it('PREFERENCES-16 A recipient who is no contact becomes one with the source preferences when choices are saved, and not by opening the page', async () => {
    await server.sql('delete from contacts where email = $1', [email])
    await page()
    expect(await server.sql('select from contacts where email = $1', [email])).toEqual([])
    await post(`act=save&topic=${newsId}`)
    expect(await server.sql('select source, status from contacts where email = $1', [email])).toEqual([
      { source: 'preferences', status: 'active' },
    ])
  })

  it('PREFERENCES-17 One-click POST ends all mails at once; the page after it offers topics to keep, which needs a second POST', async () => {
    const { text } = await server.call('POST', path.replace('/preferences/', '/unsubscribe/'), {
      raw: 'List-Unsubscribe=One-Click',
    })
    expect(text).toContain(`href="${path}"`)
    expect(await page()).toContain('Keep the marked topics')
    expect(await call('GET', '/email/suppressions')).toMatchObject([{ email, reason: 'unsubscribed' }])
    await post('act=keep')
    expect(await call('GET', '/email/suppressions')).toHaveLength(1)
    await post(`act=keep&topic=${offersId}`)
    expect(await call('GET', '/email/suppressions')).toEqual([])
    expect(await topicsOn()).toEqual([offersId])
  })

  it('PREFERENCES-18 The preference link works in mails that left with tracking off', async () => {
    expect((await call('GET', '/workspace')).tracking).toBe('off')
    expect((await server.call('GET', path)).status).toBe(200)
  })

  it('PREFERENCES-19 A saved change stands on the contact’s timeline', async () => {
    await post(`act=save&topic=${offersId}&frequency=weekly`)
    const [contact] = await server.sql<{ id: string }>('select id::text from contacts where email = $1', [email])
    const timeline = JSON.stringify(await call('GET', `/email/contacts/${contact!.id}/timeline`))
    expect(timeline).toContain('Saved on the preference page: topics: Offers; one campaign a week')
  })
})

describe('choices in force', () => {
  it('PREFERENCES-06 A person with frequency `weekly` gets one campaign a week; in the second one the person is left out, and the campaign shows why', async () => {
    await post(`act=save&topic=${newsId}&frequency=weekly`)
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({})
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({ frequency: 1 })
    await server.sql(`update frequency_use set week = week - 7`)
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({})
  })

  it('a campaign that a person with frequency `weekly` is left out of for another reason does not count as the one of the week', async () => {
    await addOther()
    await post(`act=save&topic=${newsId}&frequency=weekly&pause=30`)
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({ paused: 1 })
    await server.sql(`update contacts set paused_until = now() - interval '1 second' where email = $1`, [email])
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({})
  })

  it('PREFERENCES-07 A campaign marked `frequency_exempt` reaches a person with frequency `weekly` in any week', async () => {
    await post(`act=save&topic=${newsId}&frequency=weekly`)
    await campaignTo([newsId])
    expect(await leftOutOf(await campaignTo([newsId], { frequency_exempt: true }))).toEqual({})
    expect(await server.mailsTo(email, 3)).toHaveLength(3)
  })

  it('PREFERENCES-08 A pause of 30, 60 or 90 days keeps campaigns from the person until its end and no longer', async () => {
    await addOther()
    for (const days of [30, 60, 90]) {
      await post(`act=save&topic=${newsId}&pause=${days}`)
      const [row] = await server.sql<{ days: number }>(
        `select round(extract(epoch from paused_until - now()) / 86400)::int as days from contacts where email = $1`,
        [email],
      )
      expect(row!.days).toBe(days)
    }
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({ paused: 1 })
    await server.sql(`update contacts set paused_until = now() - interval '1 second' where email = $1`, [email])
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({})
  })

  it('PREFERENCES-10 The button "Stop everything" keeps every later campaign from the person; the page then shows the state "already stopped"', async () => {
    await addOther()
    expect((await post('act=stop')).text).toContain('Already stopped')
    expect(await leftOutOf(await campaignTo([newsId]))).toEqual({ unsubscribed: 1 })
    expect(await page()).toContain('All mail is stopped')
  })
})
