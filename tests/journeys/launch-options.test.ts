import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import type { Campaign } from '../../contract/mail/campaign.ts'
import { axeViolations, openPage, viewports, useBrowser } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
let page: Page
let listId: string
const readers = { weekly: '', other: '' }
let personCount = 0
const server = await useServer()
const browser = await useBrowser()
// Each with a list: one of its members wants one campaign a week, and has got it.
beforeEach(async () => {
  user = await createUser(server)
  await call('PATCH', '/workspace', { postal_address: 'Main Street 1, Bristol', tracking: 'identified' })
  const no = ++personCount
  Object.assign(readers, { weekly: `weekly${no}@example.com`, other: `other${no}@example.com` })
  listId = (await call('POST', '/email/lists', { name: 'Customers' })).id
  for (const email of Object.values(readers)) {
    await call('POST', '/email/contacts', { email })
    await server.sql(
      `insert into list_members (workspace_id, list_id, contact_id, state, at)
       select workspace_id, $2, id, 'subscribed', now() from contacts where email = $1`,
      [email, listId],
    )
  }
  await server.sql(
    `with weekly as (
       update contacts set frequency = 'weekly' where email = $1 returning workspace_id, id
     )
     insert into frequency_use (workspace_id, contact_id, week, count)
     select weekly.workspace_id, weekly.id, date_trunc('week', now() at time zone w.timezone)::date, 1
     from weekly join workspaces w on w.id = weekly.workspace_id`,
    [readers.weekly],
  )
})

async function call(method: string, path: string, body?: object) {
  const answer = await server.call(method, path, { token: user.token, body })
  expect([path, answer.status < 300]).toEqual([path, true])
  return answer.body as Campaign
}

async function open(path: string, viewport: (typeof viewports)[keyof typeof viewports] = viewports.desktop) {
  const opened = await openPage(browser, { viewport })
  page = opened.page
  await page.context().addInitScript((token) => localStorage.setItem('access_token', token), user.token)
  await page.goto(server.url + path)
  return opened
}

const body = '<p>News</p><p><a href="https://example.org/a?b=1">Read</a></p>'
const exemption = 'Send also to people who asked for at most one campaign a week'

/** The parameters of the address to which a click on the link of the mail to a person leads. */
async function parametersOf(address: string): Promise<Record<string, string>> {
  const [mail] = await server.mailsTo(address)
  const [, url = ''] = /href="(http[^"]*\/c\/[^"]*)"/.exec(mail?.html ?? '') ?? []
  const { pathname, search } = new URL(url.replaceAll('&amp;', '&'))
  const { headers } = await server.call('GET', pathname + search)
  const { origin, searchParams } = new URL(headers.get('location') ?? '')
  expect(origin).toBe('https://example.org')
  return Object.fromEntries(searchParams)
}

/** Axe's findings in light and dark, and whether the page is too wide. */
async function inspect(dialog: Locator): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await axeViolations(page, { isRecoloured: colorScheme === 'dark' })))
  }
  const widths = await dialog.evaluate((element) => [element.scrollWidth, element.clientWidth])
  return widths[0]! > widths[1]! ? [...found, `the dialog is ${widths[0]} of ${widths[1]} px wide`] : found
}

it('the launch dialog of the composer sets UTM parameters and the exemption from the frequency cap, by keyboard', async () => {
  await using _opened = await open('/dashboard/send_email?mode=html')
  await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Choose Lists and Segments' }).click()
  await page.getByLabel('Send to Customers').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Subject Line' }).fill('Changed terms')
  await page.getByRole('textbox', { name: 'Message body' }).fill(body)
  await page.getByRole('button', { name: 'Launch Message' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 will get it.').waitFor()
  await dialog.getByText('More options').focus()
  await page.keyboard.press('Enter')
  const first = dialog.getByLabel('Source', { exact: true })
  await first.waitFor()
  // As the fields are shown: source, medium, campaign name, term, content, then the check box.
  for (const text of ['newsletter', 'email', 'new terms & more', '', 'footer']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect.poll(() => dialog.getByLabel(exemption).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Launch Campaign' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  const [{ id }] = (await server.call('GET', '/email/campaign', { token: user.token })).body as [Campaign]
  const utm = { source: 'newsletter', medium: 'email', campaign: 'new terms & more', content: 'footer' }
  expect(await call('GET', `/email/campaign/${id}`)).toMatchObject({ utm, frequency_exempt: true })
  const expected = {
    b: '1',
    utm_source: 'newsletter',
    utm_medium: 'email',
    utm_campaign: 'new terms & more',
    utm_content: 'footer',
  }
  expect(await parametersOf(readers.weekly)).toEqual(expected)
  expect(await parametersOf(readers.other)).toEqual(expected)
})

it.each(Object.entries(viewports))(
  'the launch dialog of a draft sets them by pointer, shows what the draft has, and has no finding by axe: %s',
  async (_size, viewport) => {
    const draft = { name: 'Terms', subject: 'Changed terms', body, config_id: user.mailboxId, list_ids: [listId] }
    const { id } = await call('POST', '/email/campaign', { ...draft, utm: { source: 'api', term: 'shoes' } })
    await using _opened = await open('/dashboard/campaigns', viewport)
    await page.getByRole('button', { name: 'Launch Terms' }).click()
    const dialog = page.getByRole('dialog', { name: 'Launch this campaign?' })
    // Unfolded, since the draft has some.
    await expect.poll(() => dialog.getByLabel('Source', { exact: true }).inputValue()).toBe('api')
    await expect.poll(() => dialog.getByLabel('Term', { exact: true }).inputValue()).toBe('shoes')
    expect(await inspect(dialog)).toEqual([])
    await dialog.getByText('More options').click()
    await dialog.getByLabel('Source', { exact: true }).waitFor({ state: 'hidden' })
    await dialog.getByText('More options').click()
    await dialog.getByLabel('Source', { exact: true }).fill('newsletter')
    await dialog.getByLabel('Term', { exact: true }).fill('')
    await dialog.getByText(exemption).click()
    await expect
      .poll(() => call('GET', `/email/campaign/${id}`))
      .toMatchObject({ utm: { source: 'newsletter' }, frequency_exempt: true })
    await dialog.getByLabel('Medium', { exact: true }).fill('email')
    await dialog.getByRole('button', { name: 'Launch Campaign' }).click()
    await page.getByText('Campaign launched').first().waitFor()
    const { utm } = await call('GET', `/email/campaign/${id}`)
    expect(utm).toEqual({ source: 'newsletter', medium: 'email' })
    expect(await parametersOf(readers.weekly)).toEqual({ b: '1', utm_source: 'newsletter', utm_medium: 'email' })
  },
)
