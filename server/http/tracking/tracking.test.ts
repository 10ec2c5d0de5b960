import { createHmac, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { readMailKey } from '../../../tests/support/mail-key.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Main Street' } })
})

const wait = { interval: 50 }
let personCount = 0
const someone = () => `tracked${++personCount}@example.com`
const body = '<html><body><p>News</p><a href="https://example.org/a?b=1&amp;c=2">Read</a></body></html>'

const setMode = (tracking: string) => server.call('PATCH', '/workspace', { token: user.token, body: { tracking } })

async function campaign(recipients: string[], given: object = {}): Promise<string> {
  const created = await server.call('POST', '/email/campaign', {
    token: user.token,
    body: { subject: 'News', body, config_id: user.mailboxId, recipients, ...given },
  })
  const { id } = created.body as Campaign
  expect((await server.call('POST', `/email/campaign/${id}/launch`, { token: user.token, body: {} })).status).toBe(200)
  return id
}
/** Paths of the click link and the image in the mail to an address. */
async function linksTo(to: string) {
  const [mail] = await server.mailsTo(to)
  const html = mail!.html ?? ''
  const pathOf = (url: string | undefined) =>
    url === undefined ? null : url.replaceAll('&amp;', '&').replace(server.url, '')
  return {
    mail: mail!,
    html,
    click: pathOf(/href="(http[^"]*\/c\/[^"]*)"/.exec(html)?.[1]),
    pixel: pathOf(/src="(http[^"]*\/o\/[^"]*)"/.exec(html)?.[1]),
  }
}
/** The token with changed bytes and a valid MAC. */
function signAgain(key: KeyObject, token: string, change: (named: Buffer) => unknown): string {
  const named = Buffer.from(token, 'base64url').subarray(0, -16)
  change(named)
  const mac = createHmac('sha256', key).update('mail').update(named).digest().subarray(0, 16)
  return Buffer.concat([named, mac]).toString('base64url')
}
interface Row {
  kind: number
  link: number | null
  flags: number
  delivery: number | null
}
/** Hits of a mail's campaign, in the inbox or digested: in one statement, as the digest moves them. */
const hitsOf = (campaignId: string) =>
  server.sql<Row>(
    `select kind, link, flags, delivery from (
       select e.kind, e.link_no as link, e.flags, e.delivery_id::int as delivery, 1 as place, e.id
       from event_inbox e join messages m on m.workspace_id = e.workspace_id and m.id = e.message_id
       where m.campaign_id = $1 and e.kind in (1, 2)
       union all
       select kind, link_no, 0, delivery_id::int, 2, 0 from events where source_id = $1 and kind in (1, 2)
     ) hits order by place, id`,
    [campaignId],
  )
const get = (path: string, headers: Record<string, string> = {}) => server.call('GET', path, { headers })

describe('the mails of a campaign', () => {
  it('TRACKING-01 A new workspace has tracking `off`: its mails have no pixel, and their links stand as written', async () => {
    const to = someone()
    await campaign([to])
    const { html, click, pixel } = await linksTo(to)
    expect([click, pixel]).toEqual([null, null])
    expect(html).toContain('href="https://example.org/a?b=1&amp;c=2"')
    expect((await server.call('GET', '/workspace', { token: user.token })).body).toMatchObject({
      tracking: 'off',
      api_tracking: 'off',
    })
  })

  it('TRACKING-02 With tracking `identified`, the HTML part carries exactly one image `/o/{token}.gif`, before `</body>`', async () => {
    const to = someone()
    await setMode('identified')
    await campaign([to])
    const { html } = await linksTo(to)
    expect(html.match(/<img /g)).toHaveLength(1)
    expect(html).toMatch(/<img src="http[^"]*\/o\/[\w-]{60}\.gif"[^>]*>\s*<\/body>/)
  })

  it('TRACKING-17 The text part of a tracked mail has the addresses as written', async () => {
    const to = someone()
    await setMode('identified')
    await campaign([to])
    const { mail, click } = await linksTo(to)
    expect(click).not.toBeNull()
    expect(mail.text).toContain('https://example.org/a?b=1&c=2')
    expect(mail.text).not.toContain('/c/')
  })

  it('TRACKING-18 After the launch of a tracked campaign, `GET /email/campaign/{id}` shows the body as it was written', async () => {
    const to = someone()
    await setMode('identified')
    const id = await campaign([to])
    await linksTo(to)
    expect((await server.call('GET', `/email/campaign/${id}`, { token: user.token })).body).toMatchObject({ body })
  })

  it('have the strictest mode of workspace and campaign', async () => {
    const [one, two, three] = [someone(), someone(), someone()]
    await campaign([one], { tracking: 'identified' })
    expect((await linksTo(one)).click).toBeNull()
    await setMode('identified')
    await campaign([two], { tracking: 'off' })
    expect((await linksTo(two)).pixel).toBeNull()
    await campaign([three], { tracking: null })
    expect((await linksTo(three)).click).not.toBeNull()
  })

  it('TRACKING-30 A contact with tracking `off` gets its mail of an `identified` campaign without pixel and without rewritten links', async () => {
    const [off, other] = [someone(), someone()]
    for (const email of [other, off])
      await server.call('POST', '/email/contacts', { token: user.token, body: { email } })
    const [contact] = (await server.call('GET', `/email/contacts?search=${off}`, { token: user.token })).body
    const path = `/email/contacts/${(contact as { id: string }).id}`
    expect((await server.call('GET', path, { token: user.token })).body.tracking).toBeNull()
    const changed = await server.call('PATCH', path, { token: user.token, body: { tracking: 'off' } })
    expect([changed.status, changed.body.tracking]).toEqual([200, 'off'])
    expect((await server.call('PATCH', path, { token: user.token, body: { tracking: 'all' } })).status).toBe(422)
    await setMode('identified')
    await campaign([off, other])
    expect(await linksTo(off)).toMatchObject({ click: null, pixel: null })
    expect((await linksTo(off)).html).toContain('href="https://example.org/a?b=1&amp;c=2"')
    expect((await linksTo(other)).click).not.toBeNull()
  })

  it('TRACKING-32 A call of `PATCH /email/campaign/{id}` with `tracking` after the launch is refused with `campaign_state`', async () => {
    await setMode('identified')
    const id = await campaign([someone()])
    const changed = await server.call('PATCH', `/email/campaign/${id}`, {
      token: user.token,
      body: { tracking: 'off' },
    })
    expect(changed.status).toBe(409)
    expect(changed.body.detail).toMatch(/cannot be changed/)
  })

  it('keep UTM parameters of the campaign', async () => {
    const to = someone()
    await setMode('identified')
    const id = await campaign([to], { utm: { source: 'news' } })
    const { click } = await linksTo(to)
    expect((await get(click!)).headers.get('location')).toBe('https://example.org/a?b=1&c=2&utm_source=news')
    expect((await server.call('GET', `/email/campaign/${id}`, { token: user.token })).body.utm).toEqual({
      source: 'news',
    })
  })
})

describe('a tracked mail', () => {
  let id: string
  let to: string
  let click: string
  let pixel: string
  beforeEach(async () => {
    to = someone()
    await setMode('identified')
    id = await campaign([to])
    const links = await linksTo(to)
    click = links.click!
    pixel = links.pixel!
  })

  it('TRACKING-04 A call of `GET /o/{token}.gif` answers 200 with a GIF of 43 bytes and `Cache-Control: no-store`', async () => {
    const answer = await fetch(server.url + pixel)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/gif',
      'no-store',
    ])
    expect([bytes.length, bytes.subarray(0, 6).toString()]).toEqual([43, 'GIF89a'])
    const { width, height, format } = await sharp(bytes).metadata()
    expect([width, height, format]).toEqual([1, 1, 'gif'])
    expect(await sharp(bytes).ensureAlpha().raw().toBuffer()).toEqual(Buffer.alloc(4))
    await expect.poll(() => hitsOf(id), wait).toHaveLength(1)
  })

  it('TRACKING-05 A call of `GET /o/` with a truncated, altered or re-encoded token answers the same 200 image and records nothing', async () => {
    const token = /\/o\/(.*)\.gif/.exec(pixel)![1]!
    const wrong = [
      token.slice(1),
      token.slice(0, -1),
      `${token}A`,
      `B${token.slice(1)}`,
      `${token}=`,
      `%41${token.slice(1)}`,
    ]
    for (const one of wrong) {
      const answer = await fetch(`${server.url}/o/${one}.gif`)
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 43])
    }
    await get(click)
    await expect.poll(() => hitsOf(id), wait).toMatchObject([{ kind: 2 }])
  })

  it('TRACKING-06 A call of `GET /c/{token}/{no}-{link MAC}?u={url}` as mailed answers 302 to the written address, with `no-store` and `Referrer-Policy: no-referrer`', async () => {
    const { status, headers } = await get(click)
    expect([status, headers.get('location'), headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      302,
      'https://example.org/a?b=1&c=2',
      'no-store',
      'no-referrer',
    ])
    const [row] = await server.sql<{ id: number }>('select id::int as id from deliveries where recipient = $1', [to])
    await expect.poll(() => hitsOf(id), wait).toMatchObject([{ kind: 2, link: 1, delivery: row!.id }])
    expect(
      await server.sql(
        'select url, label from tracked_links l join messages m on m.id = l.message_id where m.campaign_id = $1',
        [id],
      ),
    ).toEqual([{ url: 'https://example.org/a?b=1&c=2', label: 'Read' }])
  })

  it('TRACKING-07 A click link with one altered character in its token or link MAC answers a 404 page and no `Location`', async () => {
    const [path = '', query] = click.split('?')
    for (const at of [4, 20, 60, path.length - 1]) {
      const altered = `${path.slice(0, at)}${path[at] === 'A' ? 'B' : 'A'}${path.slice(at + 1)}?${query}`
      const answer = await get(altered)
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
      expect(answer.text).toContain('This link does not work')
    }
  })

  it('TRACKING-08 A click link with the token of mail A and the link part of mail B answers 404', async () => {
    const other = someone()
    await campaign([other])
    const theirs = (await linksTo(other)).click!
    const mixed = `/c/${click.split('/')[2]}/${theirs.split('/').slice(3).join('/')}`
    expect((await get(theirs)).status).toBe(302)
    expect((await get(mixed)).status).toBe(404)
  })

  it('TRACKING-09 A click link whose `u` was changed, to `//evil`, `javascript:` or a text with CR and LF among others, answers 404', async () => {
    const [path = '', query = ''] = click.split('?')
    for (const u of [
      'u=%2F%2Fevil',
      'u=javascript%3Aalert(1)',
      `${query}%0D%0Ax:y`,
      `${query}x`,
      'u=https%3A%2F%2Fevil',
      '',
      `${query}&u=x`,
    ]) {
      const answer = await get(`${path}?${u}`)
      expect([u, answer.status, answer.headers.get('location')]).toEqual([u, 404, null])
    }
  })

  it('TRACKING-10 A click link whose token has an unknown version or a month out of range answers 404', async () => {
    const key = await readMailKey(server.folder)
    const [, , token = '', ...rest] = click.split('/')
    const answerTo = async (change: (named: Buffer) => unknown) => {
      const { status, headers } = await get(['', 'c', signAgain(key, token, change), ...rest].join('/'))
      return [status, headers.get('location')]
    }
    const url = 'https://example.org/a?b=1&c=2'
    expect(await answerTo(() => undefined)).toEqual([302, url])
    for (const version of [0, 1, 3, 255])
      expect(await answerTo((named) => named.writeUInt8(version, 0))).toEqual([404, null])
    for (const month of [0, 2019 * 12 + 11, 65_535])
      expect(await answerTo((named) => named.writeUInt16BE(month, 5))).toEqual([404, null])
  })

  it('TRACKING-11 A click link whose `u` was lengthened to 10 kB is answered without a redirect, and the next request is served', async () => {
    const answer = await get(click + 'x'.repeat(10_000))
    expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
    expect((await get(click)).status).toBe(302)
  })

  it('TRACKING-22 H56 A `HEAD` request for a click link or the pixel is answered and changes no figure', async () => {
    const heads = await Promise.all([click, pixel].map((path) => server.call('HEAD', path)))
    expect(heads.map(({ status }) => status)).toEqual([302, 200])
    await get(click)
    await expect.poll(() => hitsOf(id), wait).toHaveLength(1)
    await get(pixel, { 'sec-purpose': 'prefetch;prerender' })
    await expect.poll(() => hitsOf(id), wait).toHaveLength(2)
    // In one statement: the digest moves a hit from the one table to the other.
    const machine = await server.sql(
      `select 1 from event_inbox e join messages m on m.workspace_id = e.workspace_id and m.id = e.message_id
       where m.campaign_id = $1 and e.kind = 1 and e.flags & 1 = 1
       union all select 1 from events where source_id = $1 and kind = 1 and verdict = 3`,
      [id],
    )
    expect(machine).toHaveLength(1)
  })

  it('TRACKING-25 More than 200 hits of one token within a minute are answered, and only 200 of them are recorded', async () => {
    // Hits are counted by the minute of the clock: all of them are within one.
    server.advance(60_000 - (Date.now() % 60_000))
    const statuses = new Set<number>()
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 21 }, () => get(click)))
      for (const { status } of answers) statuses.add(status)
    }
    expect([...statuses]).toEqual([302])
    await expect.poll(() => hitsOf(id), wait).toHaveLength(200)
    server.advance(60_000)
    await get(click)
    await expect.poll(() => hitsOf(id), wait).toHaveLength(201)
  })

  it('10,000 hits of one link over one connection are all answered, and 200 of them are recorded', async () => {
    server.advance(60_000 - (Date.now() % 60_000))
    const count = 10_000
    const { hostname, port, host } = new URL(server.url)
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    const request = `GET ${click} HTTP/1.1\r\nHost: ${host}\r\n`
    socket.write(`${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`)
    let answered = ''
    socket.setEncoding('latin1').on('data', (text: string) => (answered += text))
    await once(socket, 'close')
    expect(answered.match(/^HTTP\/1\.1 302 /gm)).toHaveLength(count)
    await expect.poll(() => hitsOf(id), wait).toHaveLength(200)
    expect((await get('/health')).status).toBe(200)
  })

  it('a range request for the image or a link is answered as a whole and counts once', async () => {
    const range = { range: 'bytes=0-9' }
    const image = await fetch(server.url + pixel, { headers: range })
    expect([image.status, (await image.arrayBuffer()).byteLength, image.headers.get('content-range')]).toEqual([
      200,
      43,
      null,
    ])
    expect((await get(click, range)).status).toBe(302)
    await expect.poll(async () => (await hitsOf(id)).map(({ kind }) => kind).toSorted(), wait).toEqual([1, 2])
  })

  it('TRACKING-27 The tracking paths set no cookie and answer no CORS header', async () => {
    const headers = { origin: 'https://elsewhere.example', cookie: 'a=b' }
    for (const path of [click, pixel, '/c/x/y', '/o/x.gif']) {
      const answer = await get(path, headers)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('TRACKING-33 After an open and a click, no table and no API answer holds the client’s IP address', async () => {
    await get(click)
    await get(pixel)
    await expect.poll(() => hitsOf(id), wait).toHaveLength(2)
    const tables = await server.sql<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname ~ '^(event|user_agents|recent|engagement|link|source|tracked|breakdown)'`,
    )
    expect(tables.length).toBeGreaterThan(8)
    for (const { name } of tables) {
      const rows = await server.sql(`select t::text as text from ${name} t where t::text ~ '127\\.0\\.0|::1'`)
      expect([name, rows]).toEqual([name, []])
    }
    const { text } = await server.call('GET', `/email/campaign/${id}/recipients`, { token: user.token })
    expect(text).not.toMatch(/127\.0\.0/)
  })

  it('TRACKING-28 A hit for a deleted campaign or an erased person is answered like any other and appears on no report and no timeline', async () => {
    const reader = someone()
    const auth = { token: user.token }
    const { body: contact } = await server.call('POST', '/email/contacts', { ...auth, body: { email: reader } })
    const statusOf = async (of: string) =>
      (await server.call('GET', `/email/campaign/${of}`, auth)).body.status as string
    const gone = await campaign([reader], { name: 'Gone' })
    await expect.poll(() => statusOf(gone), wait).toBe('finished')
    const links = await linksTo(reader)
    await server.call('DELETE', `/email/campaign/${gone}`, auth)
    expect((await get(links.click!)).status).toBe(302)
    expect((await get(links.pixel!)).status).toBe(200)
    expect((await server.call('GET', `/email/campaign/${gone}/report`, auth)).status).toBe(404)
    // Hits are digested in their order: once a later one is shown, these are counted too.
    const later = await campaign([reader], { name: 'Later' })
    await expect.poll(() => statusOf(later), wait).toBe('finished')
    const [newest] = await server.mailsTo(reader, 2)
    await get(/src="http[^"]*(\/o\/[^"]*)"/.exec(newest!.html ?? '')![1]!)
    const timeline = async () =>
      (await server.call('GET', `/email/contacts/${(contact as { id: string }).id}/timeline`, auth)).body as {
        kind: string
        title: string
      }[]
    const acts = async () => (await timeline()).filter(({ kind }) => kind === 'opened' || kind === 'clicked')
    await expect.poll(acts, wait).toMatchObject([{ kind: 'opened', title: 'Later' }])
    expect((await timeline()).map(({ title }) => title)).not.toContain('Gone')
  })
})

it('TRACKING-31 A send call takes `tracking` (`off`, `counts`, `identified`); another value answers 422; without the field the workspace’s `api_tracking` holds, `off` by default', async () => {
  const send = async (given: object) => {
    const to = someone()
    const mail = { recipient_list: [to], subject: 'Hi', content: body, is_html: true, ...given }
    const { status } = await server.call('POST', `/api/send-mail/${user.secretKey}`, { body: mail })
    if (status !== 200) return status
    const { click, pixel } = await linksTo(to)
    return [click !== null, pixel !== null]
  }
  expect(await send({})).toEqual([false, false])
  expect(await send({ tracking: 'off' })).toEqual([false, false])
  expect(await send({ tracking: 'counts' })).toEqual([true, true])
  expect(await send({ tracking: 'identified' })).toEqual([true, true])
  expect(await send({ tracking: 'all' })).toBe(422)
  await server.call('PATCH', '/workspace', { token: user.token, body: { api_tracking: 'identified' } })
  expect(await send({})).toEqual([true, true])
  expect(await send({ tracking: 'off' })).toEqual([false, false])
})

it('a workspace sets for how many months its events are kept', async () => {
  const set = async (events_keep_months: number) => {
    const { status } = await server.call('PATCH', '/workspace', { token: user.token, body: { events_keep_months } })
    const { body: kept } = await server.call('GET', '/workspace', { token: user.token })
    return [status, (kept as { events_keep_months: number }).events_keep_months]
  }
  expect(await set(6)).toEqual([200, 6])
  expect(await set(0)).toEqual([422, 6])
  expect(await set(121)).toEqual([422, 6])
})

it('mode counts names no recipient', async () => {
  const to = someone()
  await setMode('counts')
  const id = await campaign([to])
  const { click, pixel } = await linksTo(to)
  await get(click!)
  await get(pixel!)
  await expect.poll(() => hitsOf(id), wait).toMatchObject([{ delivery: null }, { delivery: null }])
})
