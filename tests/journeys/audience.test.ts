import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { fillText, openPage, type OpenedPage, useBrowser } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
let opened: OpenedPage
let page: Page
const server = await useServer()
const browser = await useBrowser()
beforeAll(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  opened = await openPage(browser)
  page = opened.page
  await enterDashboard(page, server, user)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
})

const call = async <T>(method: string, path: string, body?: object) =>
  (await server.call(method, path, { token: user.token, ...(body && { body }) })).body as T
const link = (name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click()
const button = (name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = () => page.getByRole('dialog')

it('CLAIMS-19 contacts and lists are managed: a list is made, filled, renamed and deleted', async () => {
  await link('Lists')
  await button('Make a list')
  await dialog().getByLabel('Name').fill('Readers')
  await dialog().getByRole('button', { name: 'Make the list' }).click()
  await page.getByRole('row', { name: /Readers 0 members/ }).waitFor()

  await link('Contacts')
  for (const [name, list] of [
    ['Ada', 'Readers'],
    ['Bo', ''],
  ] as const) {
    await button('Add contact')
    await dialog().getByLabel('Email').fill(`${name.toLowerCase()}@example.org`)
    await dialog().getByLabel('First name').fill(name)
    if (list) await dialog().getByLabel('List').selectOption(list)
    await dialog().getByRole('button', { name: 'Add', exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByRole('row', { name: new RegExp(`${name} `) }).waitFor()
  }
  await page.getByRole('checkbox', { name: 'Select all rows that are shown' }).check()
  await button('Add to list')
  await button('Add 2 contacts')
  await page.getByText('2 contacts added to the list').waitFor()

  await link('Lists')
  await button('Rename Readers')
  await dialog().getByLabel('Name').fill('Friends')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Friends 2 members/ }).waitFor()
  await page.getByRole('link', { name: '2 members' }).click()
  await page.getByRole('columnheader', { name: 'On Friends' }).waitFor()
  await expect.poll(() => page.locator('.contacts-value.member').allInnerTexts()).toEqual(['Subscribed', 'Subscribed'])

  await link('Lists')
  await button('Delete Friends')
  await dialog().getByText('Its 2 members stay contacts.').waitFor()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No lists yet').waitFor()
  expect(await call<object[]>('GET', '/email/contacts')).toHaveLength(2)
})

const cities = ['Berlin', 'Hamburg', 'München', 'Köln']
const cityOf = (at: number) => cities[at % cities.length] ?? ''
/** As a spreadsheet program in Germany saves it: semicolons, Windows-1252, a line break in a cell. */
const csv = Buffer.from(
  [
    'E-Mail;Vorname;Ort',
    ...Array.from({ length: 200 }, (_row, at) => {
      const name = at === 0 ? '"Jürgen\r\nder Erste; ""Jott"""' : `Jürgen ${at}`
      return `person-${at}@example.net;${name};${cityOf(at)}`
    }),
    '',
  ].join('\r\n'),
  'latin1',
)
/** Readers in Berlin who got a mail today. */
const written = Array.from({ length: 10 }, (_person, at) => `person-${at * 4}@example.net`)
/** Whom the segment has. */
const wanted = Array.from({ length: 200 }, (_person, at) => at)
  .filter((at) => cityOf(at) === 'Berlin' || cityOf(at) === 'Hamburg')
  .map((at) => `person-${at}@example.net`)
  .filter((email) => !written.includes(email))

/** Each step depends on the one before. */
describe('a marketer', () => {
  it('imports 200 rows from a semicolon-separated Windows-1252 file with a quoted line break', async () => {
    await link('Contacts')
    await page.getByRole('link', { name: 'Import' }).click()
    await page.locator('input[type=file]').setInputFiles({ name: 'leute.csv', mimeType: 'text/csv', buffer: csv })
    await page.getByRole('heading', { name: 'Is the file read correctly?' }).waitFor()
    await button('Continue')
    await page.getByLabel('Vorname goes to').selectOption('First name')
    await button('Continue')
    await page.getByLabel('How did these people agree').fill('Signed card at the fair in Bonn')
    await button('Check the file')
    await button('Import 200 rows')
    await page.getByText('The import is done. 200 contacts were written.').waitFor()
    expect((await call<object[]>('GET', '/email/contacts?search=@example.net&limit=500')).length).toBe(200)
  })

  it('CLAIMS-20 narrows them by rules: city is Berlin or Hamburg, and not sent anything in 30 days', async () => {
    const { id } = await call<Campaign>('POST', '/email/campaign', {
      name: 'Before',
      subject: 'Before',
      body: '<p>Hello</p>',
      config_id: user.mailboxId,
      recipients: written,
    })
    await call('POST', `/email/campaign/${id}/launch`, {})
    await expect.poll(async () => (await call<Campaign>('GET', `/email/campaign/${id}`)).status).toBe('finished')

    await link('Contacts')
    await link('Segments')
    await page.getByRole('link', { name: 'New segment' }).click()
    const rule = (number: number) => page.getByRole('group', { name: `Rule ${number}`, exact: true })
    await page.getByLabel('Name').fill('Nearby and rested')
    await rule(1).getByLabel('Field', { exact: true }).selectOption({ label: 'Ort' })
    await rule(1).getByLabel('Operator', { exact: true }).selectOption({ label: 'is one of' })
    for (const city of ['Berlin', 'Hamburg']) {
      await rule(1).getByLabel('Values').fill(city)
      await page.keyboard.press('Enter')
    }
    await button('Rule')
    await rule(2).getByLabel('Field', { exact: true }).selectOption({ label: 'Mails sent' })
    await rule(2).getByLabel('Operator', { exact: true }).selectOption({ label: 'not within the last' })
    await rule(2).getByLabel('Days').fill('30')
    const figure = page.getByRole('region', { name: 'People' }).getByRole('status')
    await expect.poll(() => figure.innerText()).toBe(`${wanted.length}\nExact`)
    await button('Save segment')
    await page.getByText('All changes saved').waitFor()
  })

  it('SEGMENTS-25 opens the composer with the segment among the recipients', async () => {
    await page.getByRole('link', { name: 'Use in a campaign' }).click()
    await page.waitForURL('**/dashboard/send_email')
    const sources = page.getByRole('list', { name: 'Lists and segments' }).getByRole('listitem')
    await expect.poll(() => sources.allTextContents()).toEqual([`Nearby and rested${wanted.length}`])
  })

  it('sends to the segment, and finds a mail to every one of its people in the sandbox', async () => {
    await page.getByLabel('From').selectOption({ label: 'sandbox@localhost · other' })
    await page.getByLabel('Subject Line').fill('News for {{first_name}}')
    await fillText(page, '<p>Dear {{first_name}}, we are in {{Ort}} again.</p>')
    await button('Launch Message')
    await page.getByRole('dialog', { name: `Launch to ${wanted.length} recipients` }).waitFor()
    await button('Launch Campaign')
    await page.getByText(`Sent to ${wanted.length} of ${wanted.length}`).first().waitFor({ timeout: 60_000 })
    const mails = await Promise.all(wanted.map((email) => server.mailsTo(email)))
    const found = wanted.map((email, at) => {
      const [mail] = mails[at] ?? []
      return [email, mail?.subject, /we are in [^]{1,40}? again\./.exec(mail?.html ?? '')?.[0] ?? mail?.html]
    })
    const expected = wanted.map((email) => {
      const no = Number(/\d+/.exec(email))
      return [email, `News for Jürgen ${no}`, `we are in ${cityOf(no)} again.`]
    })
    // As texts, which a failure shows whole; lists of lists are cut.
    const differing = found.filter((one, at) => !isDeepStrictEqual(one, expected[at]))
    expect(differing.slice(0, 3).map((one) => JSON.stringify(one))).toEqual([])
    // Who got a mail before gets none of this campaign.
    const before = await server.mailsTo(written[1] ?? '')
    expect(before.map(({ subject }) => subject)).toEqual(['Before'])
  })
})
