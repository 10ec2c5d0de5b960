import { simpleParser } from 'mailparser'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { axeViolations, openPage, type OpenedPage, useBrowser } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
let opened: OpenedPage
let page: Page
const server = await useServer()
const browser = await useBrowser()
beforeEach(async () => {
  user = await createUser(server)
  opened = await openPage(browser, { allowFaults: /status of 409/ })
  page = opened.page
  await enterDashboard(page, server, user)
  return () => opened[Symbol.asyncDispose]()
})

const minuteMs = 60_000
const body = () => page.getByRole('textbox', { name: 'Message body' })
const launch = () => page.getByRole('button', { name: 'Launch Message' })
const arrivedTo = async (address: string) =>
  (await server.call('GET', `/sandbox/messages?to=${encodeURIComponent(address)}`)).body as { raw: string }[]

/** Writes a whole message in HTML mode. */
async function write(recipient: string, subject: string) {
  await page.goto(`${server.url}/dashboard/send_email?mode=html`)
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'sandbox@localhost · other' })
  await page.getByLabel('Recipients', { exact: true }).fill(recipient)
  await page.getByRole('button', { name: 'ADD+' }).click()
  await page.getByRole('textbox', { name: 'Subject Line' }).fill(subject)
  await body().fill('<p>The first text.</p>')
}

/** A time as a zone's clocks show it. */
const clockIn = (timeZone: string, at: number) =>
  new Date(at).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).replace(' ', 'T')

async function chooseTime(timeZone: string, at: number) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Time zone').selectOption(timeZone)
  await dialog.getByLabel('Start').fill(clockIn(timeZone, at))
}

async function schedule(timeZone: string, at: number) {
  await page.getByRole('button', { name: 'Later', exact: true }).click()
  await chooseTime(timeZone, at)
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click()
}

const row = (subject: string) => page.getByRole('row', { name: new RegExp(subject) })

it('SCHEDULING-01 A single message can be scheduled in the composer with date, time and time zone, and leaves at that time and not before.', async () => {
  await write('later@example.com', 'For later')
  const at = Math.ceil((Date.now() + minuteMs) / minuteMs) * minuteMs
  await schedule('Asia/Tokyo', at)
  await page.getByRole('alert').filter({ hasText: 'Message scheduled' }).waitFor()
  await expect.poll(() => body().inputValue()).toBe('')
  const stored = await server.sql<{ scheduled_at: Date; next_attempt_at: Date }>(
    `select scheduled_at, next_attempt_at from deliveries d join messages m on m.id = d.message_id
     where recipient = 'later@example.com'`,
  )
  expect(stored).toEqual([{ scheduled_at: new Date(at), next_attempt_at: new Date(at) }])
  // In place of up to two minutes.
  const dueAt = Date.now() + 4000
  const earlier = new Date(dueAt).toISOString()
  await server.sql(`update messages set scheduled_at = $1 where subject = 'For later'`, [earlier])
  await server.sql(`update deliveries set next_attempt_at = $1 where recipient = 'later@example.com'`, [earlier])
  expect(await arrivedTo('later@example.com')).toEqual([])
  await server.mailsTo('later@example.com')
  expect(Date.now()).toBeGreaterThanOrEqual(dueAt)
})

it('SCHEDULING-05 The scheduled list shows each message that has not left yet with its time, and says so when there is none.', async () => {
  await page.goto(`${server.url}/dashboard/messages`)
  await page.getByRole('link', { name: 'Scheduled' }).click()
  await page.getByRole('heading', { name: 'No scheduled messages' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  const at = Date.now() + 40 * 24 * 60 * minuteMs
  await write('second@example.com', 'Second of them')
  await schedule('Asia/Tokyo', at + 60 * minuteMs)
  await page.getByRole('alert').filter({ hasText: 'Message scheduled' }).waitFor()
  await write('first@example.com', 'First of them')
  await schedule('UTC', at)
  await page.getByRole('link', { name: 'Show scheduled messages' }).click()
  /** The row of a message with its time, as the zone's clocks show it. */
  const rowAt = async (subject: string, timeZone: string, time: number) => {
    const clock = row(subject).filter({ hasText: timeZone }).getByRole('time')
    const expected = new Date(time).toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
    await expect
      .poll(async () => {
        const [text, iso] = [await clock.textContent(), await clock.getAttribute('datetime')]
        const [, hour = '', minute = '', half = ''] = /(\d{1,2}):(\d{2})\s?([AP]M)?/i.exec(text ?? '') ?? []
        const hours = (Number(hour) % (half === '' ? 24 : 12)) + (/PM/i.test(half) ? 12 : 0)
        return [`${String(hours).padStart(2, '0')}:${minute}`, iso?.slice(0, 16)]
      })
      .toEqual([expected, new Date(time).toISOString().slice(0, 16)])
  }
  await rowAt('First of them', 'UTC', at)
  await rowAt('Second of them', 'Asia/Tokyo', at + 60 * minuteMs)
  await expect
    .poll(() => page.getByRole('row').getByRole('link').allTextContents())
    .toEqual(['First of them', 'Second of them'])
  expect(await axeViolations(page)).toEqual([])

  // Moved, cancelled, and changed in the composer.
  await page.getByRole('button', { name: 'Move First of them to another time' }).click()
  await chooseTime('UTC', at + 120 * minuteMs)
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await rowAt('First of them', 'UTC', at + 120 * minuteMs)
  await page.getByRole('button', { name: 'Cancel Second of them' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click()
  await row('Second of them').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'First of them' }).click()
  await expect.poll(() => body().inputValue()).toBe('<p>The first text.</p>')
  await page.getByText('You are changing a scheduled message.').waitFor()
  await body().fill('<p>The second text.</p>')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Scheduled messages' }).waitFor()
  await server.sql("update deliveries set next_attempt_at = now() where recipient = 'first@example.com'")
  await server.sql("update messages set scheduled_at = now() where subject = 'First of them'")
  const [mail] = await server.mailsTo('first@example.com')
  expect(mail!.raw).toContain('The second text.')
  expect(await arrivedTo('second@example.com')).toEqual([])
})

it('a message is scheduled with a time that has passed: the composer says why and keeps it', async () => {
  await write('late@example.com', 'Too late')
  await schedule('UTC', Date.now() - 120 * minuteMs)
  await page.getByRole('alert').filter({ hasText: 'has passed' }).waitFor()
  await expect.poll(() => body().inputValue()).toBe('<p>The first text.</p>')
  expect(opened.faults.filter((fault) => !fault.includes('422'))).toEqual([])
  ;(opened.faults as string[]).length = 0
})

it('the further fields come with the mail: from name, reply-to, preheader, cc and bcc', async () => {
  await write('to@example.com', 'Further fields')
  await page.getByRole('textbox', { name: 'Preheader' }).fill('Two places are kept for you')
  for (const [name, value] of [
    ['From name', 'Northwind'],
    ['Reply-To', 'desk@example.com'],
    ['Cc', 'cc1@example.com, cc2@example.com'],
    ['Bcc', 'hidden@example.com'],
  ] as const) {
    await page.getByRole('group', { name: 'Further fields' }).getByRole('button', { name, exact: true }).click()
    await page.keyboard.type(value)
  }
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Cc', exact: true }).inputValue())
    .toBe('cc1@example.com, cc2@example.com')
  await launch().click()
  const [mail] = await server.mailsTo('hidden@example.com')
  const parsed = await simpleParser(Buffer.from(mail!.raw))
  expect(parsed.from?.text).toBe('"Northwind" <sandbox@localhost>')
  expect(parsed.replyTo?.text).toBe('desk@example.com')
  expect([parsed.to, parsed.cc].flat().map((one) => one?.text)).toEqual([
    'to@example.com',
    'cc1@example.com, cc2@example.com',
  ])
  expect(mail!.raw).not.toContain('hidden@')
  expect(parsed.html).toContain('Two places are kept for you')
  await server.mailsTo('cc2@example.com')
})

it('SCHEDULING-10 A draft or scheduled campaign opens in the composer at `?campaign=` and shows no estimate of when mails leave before it is launched.', async () => {
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  const { body: configs } = await server.call('GET', '/email/configs', { token: user.token })
  const campaign = {
    name: 'Autumn show',
    subject: 'Doors open',
    body: '<p>Come in</p>',
    preheader: 'At seven',
    config_id: (configs as { id: string }[])[0]!.id,
    recipients: ['a@example.com', 'b@example.com'],
  }
  const made = await server.call('POST', '/email/campaign', { token: user.token, body: campaign })
  const { id } = made.body as Campaign
  await page.goto(`${server.url}/dashboard/campaigns#${id}`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.waitForURL(`**/send_email?campaign=${id}`)
  await expect.poll(() => body().inputValue()).toBe('<p>Come in</p>')
  await expect.poll(() => page.getByRole('textbox', { name: 'Preheader' }).inputValue()).toBe('At seven')
  await page.getByText('You are changing the campaign Autumn show. It has 2 recipients').waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/last mail leaves|will get it/)
  expect(await axeViolations(page)).toEqual([])
  await body().fill('<p>Come in, all of you</p>')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The campaign was saved').waitFor()
  expect((await server.call('GET', `/email/campaign/${id}`, { token: user.token })).body).toMatchObject({
    status: 'draft',
    body: '<p>Come in, all of you</p>',
    counts: { total: 2 },
  })
  // Launched for later from here, it is open to changes as a scheduled one too.
  await launch().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('the last mail leaves').waitFor()
  await dialog.getByLabel('Later').check()
  await dialog.getByRole('button', { name: 'Launch Campaign' }).click()
  await page.waitForURL('**/campaigns#*')
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect.poll(() => body().inputValue()).toBe('<p>Come in, all of you</p>')
  await page.getByText(/It leaves .*\(Europe\/London\)/).waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/last mail leaves|will get it/)
  await page.getByRole('textbox', { name: 'Subject Line' }).fill('Doors open wide')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.waitForURL('**/campaigns#*')
  expect((await server.call('GET', `/email/campaign/${id}`, { token: user.token })).body).toMatchObject({
    status: 'scheduled',
    subject: 'Doors open wide',
  })
})

it('SCHEDULING-11 A draft or scheduled campaign can be renamed, and the list of campaigns finds it by its new name.', async () => {
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  const { body: configs } = await server.call('GET', '/email/configs', { token: user.token })
  const make = async (name: string) => {
    const config_id = (configs as { id: string }[])[0]!.id
    const campaign = { name, subject: 'Doors open', body: '<p>Come in</p>', config_id, recipients: ['a@example.com'] }
    return ((await server.call('POST', '/email/campaign', { token: user.token, body: campaign })).body as Campaign).id
  }
  const [draft, scheduled] = [await make('One'), await make('Two')]
  const at = new Date(Date.now() + 60 * minuteMs).toISOString()
  const launched = await server.call('POST', `/email/campaign/${scheduled}/launch`, {
    token: user.token,
    body: { scheduled_at: at },
  })
  expect(launched.body).toMatchObject({ status: 'scheduled' })
  for (const [id, name] of [
    [draft, 'Spring fair'],
    [scheduled, 'Summer fair'],
  ] as const) {
    await page.goto(`${server.url}/dashboard/campaigns#${id}`)
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.goto(`${server.url}/dashboard/campaigns`)
    await page.getByLabel('Search campaigns').fill(name)
    await row(name).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
  }
})

it('a draft campaign that two people edit is saved by one and kept for the other, who sees both versions and chooses', async () => {
  const { body: configs } = await server.call('GET', '/email/configs', { token: user.token })
  const config_id = (configs as { id: string }[])[0]!.id
  const campaign = {
    name: 'Shared',
    subject: 'Doors open',
    body: '<p>First</p>',
    config_id,
    recipients: ['a@example.com'],
  }
  const { id } = (await server.call('POST', '/email/campaign', { token: user.token, body: campaign })).body as Campaign
  const read = async () => (await server.call('GET', `/email/campaign/${id}`, { token: user.token })).body as Campaign
  await page.goto(`${server.url}/dashboard/send_email?campaign=${id}`)
  await expect.poll(() => body().inputValue()).toBe('<p>First</p>')
  // The other person saves first.
  const { revision } = await read()
  const theirs = { body: '<p>Of the other person</p>', revision }
  expect((await server.call('PATCH', `/email/campaign/${id}`, { token: user.token, body: theirs })).status).toBe(200)
  await body().fill('<p>Mine</p>')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await page.getByRole('alert').filter({ hasText: 'This was saved by someone else in the meantime.' }).waitFor()
  await expect.poll(() => body().inputValue()).toBe('<p>Mine</p>')
  expect((await read()).body).toBe('<p>Of the other person</p>')
  const notice = page.getByText('Another version of this draft, saved by someone else, is kept.')
  await notice.waitFor()
  await page.getByRole('button', { name: 'Show it' }).click()
  await expect.poll(() => body().inputValue()).toBe('<p>Of the other person</p>')
  await page.getByRole('button', { name: 'Show it' }).click()
  await expect.poll(() => body().inputValue()).toBe('<p>Mine</p>')
  await save.click()
  await page.getByText('The campaign was saved').waitFor()
  expect((await read()).body).toBe('<p>Mine</p>')
})
