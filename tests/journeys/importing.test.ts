import { text } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import type { Contact } from '../../contract/audience/contact.ts'
import { openPage, useBrowser } from '../support/browser.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
const server = await useServer()
const browser = await useBrowser()
beforeAll(async () => {
  user = await createUser(server)
})

const cities = ['Berlin', 'Hamburg', 'München', 'Köln']
/** 200 rows as a spreadsheet program in Germany saves them; one cell has a line break, one row no address. */
const csv = Buffer.from(
  [
    'E-Mail;Vorname;Ort;Mitglied seit',
    ...Array.from({ length: 200 }, (_row, at) => {
      const email = at === 120 ? 'keine Adresse' : `person-${at}@example.org`
      const city = at === 77 ? '"Köln\r\nPorz; ""Süd"""' : cities[at % cities.length]
      return [email, `Jürgen ${at}`, city, `${String((at % 28) + 1).padStart(2, '0')}.03.2024`].join(';')
    }),
    '',
  ].join('\r\n'),
  'latin1',
)

const call = async <T>(method: string, path: string) =>
  (await server.call(method, path, { token: user.token })).body as T

it('IMPORT-04 IMPORT-25 IMPORT-34 a marketer imports 200 rows from a semicolon-separated Windows-1252 file', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await enterDashboard(page, server, user, '/dashboard/imports/new')
  await page.locator('input[type=file]').setInputFiles({ name: 'leute.csv', mimeType: 'text/csv', buffer: csv })

  await page.getByRole('heading', { name: 'Is the file read correctly?' }).waitFor()
  await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('windows-1252')
  await expect.poll(() => page.getByLabel('Between cells').inputValue()).toBe(';')
  await page.getByRole('cell', { name: 'Jürgen 19' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByLabel('Vorname goes to').selectOption('First name')
  await expect.poll(() => page.getByLabel('E-Mail goes to').inputValue()).toBe('email')
  await page.getByText('Date, 31.12.2026').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByLabel('How did these people agree').fill('Signed card at the fair in Bonn')
  await page.getByLabel('List that they join').selectOption('New list…')
  await page.getByLabel('Name of the new list').fill('Fair')
  await page.getByRole('button', { name: 'Create list' }).click()
  await page.getByLabel('Name of the new list').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Check the file' }).click()

  await page.getByRole('button', { name: 'Import 199 rows' }).waitFor()
  await expect.poll(() => page.locator('.import-counts dd').allInnerTexts()).toEqual(['199', '0', '0', '0', '1', '200'])
  expect(await call<Contact[]>('GET', '/email/contacts')).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Import 199 rows' }).click()

  await page.getByText('The import is done. 199 contacts were written.').waitFor()
  await page.getByText('30 days left to take this import back.').waitFor()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Get the refused row as CSV' }).click()
  const refused = await text(await (await saving).createReadStream())
  expect(refused).toContain('keine Adresse,Jürgen 120,Berlin,09.03.2024')

  const contacts = await call<Contact[]>('GET', '/email/contacts?limit=500')
  expect(contacts).toHaveLength(199)
  const found = contacts.find(({ email }) => email === 'person-77@example.org')
  expect(found?.fields).toEqual({ first_name: 'Jürgen 77', ort: 'Köln\r\nPorz; "Süd"', mitglied_seit: '2024-03-22' })
  const [list] = await call<{ name: string; member_count: number }[]>('GET', '/email/lists')
  expect([list?.name, list?.member_count]).toEqual(['Fair', 199])

  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await page.getByText('The import is taken back.').waitFor()
  expect(await call<Contact[]>('GET', '/email/contacts')).toEqual([])
})
