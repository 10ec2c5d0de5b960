import { json } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import type { ContactChanges, ContactDetail, TimelineEntry } from '../../contract/audience/contact.ts'
import type { ContactField } from '../../contract/audience/contact-field.ts'
import { contactResponses, sampleContact, sampleContactDetail, sampleFields } from '../support/contact-responses.ts'
import { openDashboard, pathOf, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { checkScenes } from '../support/scenes.ts'

const { browser, site } = await useDashboard()

const at = (minute: number) => new Date(Date.UTC(2025, 7, 14, 9, minute)).toISOString()
const detail = sampleContactDetail({
  status: 'bounced',
  lists: [{ id: '7', name: 'Newsletter', state: 'subscribed', since: at(1) }],
  consents: [{ kind: 'import', text: 'Signed up at the fair in May', at: at(0) }],
  suppression: { id: 'sup_1', reason: 'bounced', detail: '550 5.1.1 No such user here', created_at: at(3) },
})
const timeline: TimelineEntry[] = [
  {
    kind: 'campaign',
    at: at(3),
    title: 'Summer fair',
    detail: 'failed',
    object_id: 'cmp_2',
    verdict: null,
    reason: null,
  },
  {
    kind: 'membership',
    at: at(1),
    title: 'Newsletter',
    detail: 'subscribed',
    object_id: '7',
    verdict: null,
    reason: null,
  },
  {
    kind: 'consent',
    at: at(0),
    title: 'import',
    detail: 'Signed up at the fair in May',
    object_id: null,
    verdict: null,
    reason: null,
  },
]
const older = {
  kind: 'created',
  at: '2025-01-02T09:00:00.000Z',
  title: 'import',
  detail: '',
  object_id: null,
  verdict: null,
  reason: null,
} as const

let contact: ContactDetail
let fields: ContactField[]
beforeEach(() => {
  site.received.length = 0
  contact = detail
  fields = sampleFields
  for (const [name, handler] of Object.entries({ ...signedInResponses(), ...contactResponses([sampleContact()]) }))
    site.on(name, handler)
  site.on('getContact', () => ({ json: contact }))
  site.on('updateContact', ({ body }) => {
    const { fields: values = {}, ...others } = body as ContactChanges
    contact = { ...contact, ...others, fields: { ...contact.fields, ...values } } as ContactDetail
    return { json: contact }
  })
  site.on('listContactTimeline', ({ query }) =>
    query.get('cursor') === 'older' ? { json: [older] } : { json: timeline, headers: { 'X-Next-Cursor': 'older' } },
  )
  site.on('listContactFields', () => ({ json: fields }))
})

const open = (path = '/dashboard/contacts/1') => openDashboard(browser, site, { path, token: 'at_1' })
const value = (page: Page, name: RegExp) => page.getByRole('button', { name })

it('the recording of opens and clicks is restricted on the page of the contact', async () => {
  await using screen = await open()
  const { page } = screen
  const choice = page.getByRole('region', { name: 'Opens and clicks' }).getByLabel('Recorded at most')
  await choice.selectOption({ label: 'Nothing' })
  await page.getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => choice.inputValue()).toBe('off')
  await choice.selectOption({ label: 'As its mails have it' })
  await expect.poll(() => choice.inputValue()).toBe('')
  const changes = site.received.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
  expect(changes).toEqual([{ tracking: 'off' }, { tracking: null }])
})

it('CONTACTS-29 a field is edited in place, and its new value is there after a reload', async () => {
  await using screen = await open()
  const { page } = screen
  await value(page, /^Change City: Lisbon/).click()
  await page.getByRole('textbox', { name: 'City' }).fill('Porto')
  await page.keyboard.press('Enter')
  await value(page, /^Change City: Porto/).waitFor()
  await value(page, /^Change Member since: Empty/).click()
  await page.getByLabel('Member since', { exact: true }).fill('2024-01-30')
  await page.getByRole('button', { name: 'Save' }).click()
  await value(page, /^Change Member since: 30 Jan 2024/).waitFor()
  await page.reload()
  await value(page, /^Change City: Porto/).waitFor()
  const changes = site.received.filter(({ method }) => method === 'PATCH').map(({ body }) => body)
  expect(changes).toEqual([{ fields: { city: 'Porto' } }, { fields: { member_since: '2024-01-30' } }])
})

it('shows at the field why a value was refused, and Esc leaves it unchanged', async () => {
  const item = { loc: ['body', 'timezone'], msg: 'is not a time zone; write it as Europe/Berlin', type: 'timezone' }
  site.on('updateContact', { status: 422, json: { detail: [item] } })
  await using screen = await open()
  const { page } = screen
  await value(page, /^Change Time zone: Europe\/Lisbon/).click()
  await page.getByRole('textbox', { name: 'Time zone' }).fill('Lisbon')
  await page.keyboard.press('Enter')
  await page.getByText('Time zone is not a time zone; write it as Europe/Berlin').waitFor()
  await page.keyboard.press('Escape')
  await value(page, /^Change Time zone: Europe\/Lisbon/).waitFor()
})

it('CONTACTS-30 shows lists, segments, source, time zone, language, status with its reason and consents', async () => {
  await using screen = await open()
  const { page } = screen
  await page.getByRole('heading', { name: 'Ines Prado', level: 1 }).waitFor()
  const status = page.getByRole('region', { name: 'Status' })
  await status.getByText('The mail server rejected the address as unknown.').waitFor()
  await status.getByText('550 5.1.1 No such user here').waitFor()
  await page.getByRole('region', { name: 'Lists' }).getByRole('link', { name: 'Newsletter' }).waitFor()
  await page.getByRole('region', { name: 'Segments' }).getByRole('link', { name: 'Lisbon' }).waitFor()
  const consents = page.getByRole('region', { name: 'Consents' })
  await consents.getByText('Import', { exact: true }).waitFor()
  await consents.getByText('Signed up at the fair in May').waitFor()
  await page.getByRole('region', { name: 'Origin' }).getByText('Import').waitFor()
  await value(page, /^Change Time zone: Europe\/Lisbon/).waitFor()
  await value(page, /^Change Language: European Portuguese/).waitFor()
})

it('CONTACTS-31 its timeline merges campaigns, consents and memberships by time, and continues by cursor', async () => {
  await using screen = await open()
  const { page } = screen
  const entries = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
  await expect.poll(() => entries.count()).toBe(3)
  const texts = await entries.allTextContents()
  expect(texts.map((text) => text.split(':')[0])).toEqual(['Campaign', 'List', 'Consent'])
  expect(texts[0]).toContain('Summer fairFailed')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => entries.count()).toBe(4)
  await expect.poll(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  expect(await entries.locator('time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))).toEqual([
    ...timeline.map((entry) => entry.at),
    older.at,
  ])
})

it('its timeline shows what the person and what machines did with a mail', async () => {
  const act = (kind: TimelineEntry['kind'], detail = '', verdict: TimelineEntry['verdict'] = null): TimelineEntry => ({
    kind,
    at: at(5),
    title: 'Summer fair',
    detail,
    object_id: 'cmp_2',
    verdict,
    reason: null,
  })
  const words = `Yes, please. ${'I come with a friend. '.repeat(20)}Harbour`
  site.on('listContactTimeline', {
    json: [
      act('opened', '', 'machine'),
      act('opened', '', 'human'),
      act('clicked', 'https://example.org/a', 'human'),
      act('replied', words),
      act('bounced', '550 5.1.1 No such user'),
    ],
  })
  await using screen = await open()
  const { page } = screen
  const entries = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
  await expect.poll(() => entries.count()).toBe(5)
  const texts = await entries.allInnerTexts()
  expect(texts[0]).toContain('Opened: Summer fair\nBy a machine')
  expect(texts[1]).not.toContain('machine')
  expect(texts[2]).toContain('Clicked in: Summer fair\nhttps://example.org/a')
  expect(texts[4]).toContain('550 5.1.1 No such user')
  const end = entries.nth(3).getByText('Harbour')
  await expect.poll(() => end.isVisible()).toBe(false)
  await entries.nth(3).locator('summary').click()
  await expect.poll(() => end.isVisible()).toBe(true)
})

it('EXPORT-09 Export gives one JSON file with all that is kept about the contact', async () => {
  const { suppression: _suppression, lists, consents, ...own } = detail
  const kept = { contact: own, lists, consents, deliveries: [] }
  site.on('exportContact', { json: kept })
  await using screen = await open()
  const { page } = screen
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('ines.prado@example.org.json')
  expect(await json(await file.createReadStream())).toEqual(kept)
})

it('is deleted after a confirmation; an unknown one is named as such', async () => {
  await using screen = await open()
  const { page } = screen
  await page.getByRole('button', { name: 'Delete contact' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => pathOf(page)).toBe('/dashboard/contacts')
  site.on('getContact', { status: 404, json: { detail: 'No contact has this id.' } })
  await page.goto(`${site.url}/dashboard/contacts/99`)
  await page.getByText('This contact does not exist').waitFor()
})

it('EXPORT-10 a person is erased after the address was typed, and what goes is named', async () => {
  await using screen = await open()
  const { page } = screen
  await page.getByRole('button', { name: 'Erase person…' }).click()
  const dialog = page.getByRole('dialog', { name: `Erase ${detail.email}?` })
  const losses = await dialog.getByRole('listitem').allTextContents()
  for (const thing of ['fields', 'consent', 'lists and segments', 'imports', 'suppressions'])
    expect(losses.join(' ')).toContain(thing)
  const field = dialog.getByLabel(`Type ${detail.email} to confirm`)
  await field.fill('other@example.org')
  await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
  await dialog.getByText('This is not the address above').waitFor()
  const calls = () =>
    site.received.filter(({ path }) => path.endsWith('/erase')).map(({ method, path }) => [method, path])
  expect(calls()).toEqual([])
  await field.fill(detail.email)
  await page.keyboard.press('Enter')
  await expect.poll(() => pathOf(page)).toBe('/dashboard/contacts')
  expect(calls()).toEqual([['POST', `/email/contacts/${detail.id}/erase`]])
})

it('FIELDS-01 the fields screen lists each field with label, key and type', async () => {
  await using screen = await open('/dashboard/contacts/fields')
  const { page } = screen
  await page.getByRole('heading', { name: 'Contact fields', level: 1 }).waitFor()
  await page.getByRole('row', { name: /^First name first_name Text/ }).waitFor()
  await page.getByRole('row', { name: /^Member since member_since Date/ }).waitFor()
  await page.getByRole('row', { name: /^Plan plan Choice/ }).waitFor()
})

it('a field is added with a name made of its label, renamed, and deleted although segments use it', async () => {
  await using screen = await open('/dashboard/contacts/fields')
  const { page } = screen
  const made = { no: 6, key: 'birth_date', label: 'Birth Date', type: 'date', choices: [], created_at: at(0) } as const
  site.on('createContactField', () => {
    fields = [...sampleFields, { ...made, choices: [] }]
    return { status: 201, json: made }
  })
  await page.getByRole('button', { name: 'New field' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Birth Date')
  await expect.poll(() => dialog.getByLabel('Name in mails').inputValue()).toBe('birth_date')
  await dialog.getByRole('combobox', { name: 'Type' }).selectOption('Date')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await page.getByRole('row', { name: /^Birth Date birth_date Date/ }).waitFor()
  expect(site.received.find(({ method }) => method === 'POST')?.body).toEqual({
    label: 'Birth Date',
    key: 'birth_date',
    type: 'date',
  })
  await dialog.waitFor({ state: 'detached' })
  site.on('updateContactField', { status: 409, json: { detail: 'A field has this key already. Choose another key.' } })
  await page.getByRole('button', { name: 'Change City' }).click()
  await dialog.getByLabel('Name in mails').fill('plan')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('A field has this key already.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  site.on('deleteContactField', ({ query }) =>
    query.get('force') === 'true'
      ? { status: 204 }
      : { status: 409, json: { detail: 'Segments use this field: “Lisbon”. Change them first.' } },
  )
  await page.getByRole('button', { name: 'Delete City' }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByText('Segments use this field').waitFor()
  await dialog.getByRole('button', { name: 'Delete all the same' }).click()
  await page.getByText('City was deleted').waitFor()
})

checkScenes(
  {
    'a contact with a field being edited': {
      path: '/dashboard/contacts/1',
      token: 'at_1',
      act: async (page) => {
        await page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first().waitFor()
        await value(page, /^Change City/).click()
      },
    },
    'the fields, and one being added': {
      path: '/dashboard/contacts/fields',
      token: 'at_1',
      act: async (page) => {
        await page.getByRole('row', { name: /^First name/ }).waitFor()
        await page.getByRole('button', { name: 'New field' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Add field' }).click()
        await page.getByText('Enter a label').waitFor()
      },
    },
  },
  () => ({ browser, site }),
)
