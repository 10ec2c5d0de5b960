import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { boxOf, viewports } from '../support/browser.ts'
import {
  contactResponses,
  countEvents,
  sampleAction,
  sampleContact,
  sampleContactDetail,
  sampleSegment,
} from '../support/contact-responses.ts'
import { openDashboard, pathOf, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'

const { browser, site } = await useDashboard()

const ines = sampleContact()
const tomas = sampleContact({
  id: '2',
  email: 't.weller@example.com',
  fields: { first_name: 'Tomas', last_name: 'Weller', city: 'Basel', plan: 'Pro' },
  status: 'unsubscribed',
  created_at: '2025-08-13T09:30:00.000Z',
  last_activity_at: '2025-08-16T09:30:00.000Z',
})
const desk = sampleContact({
  id: '3',
  email: 'frontdesk@example.org',
  fields: {},
  status: 'bounced',
  created_at: '2025-08-12T09:30:00.000Z',
  last_activity_at: null,
})
const contacts = [ines, tomas, desk]
const failed = { status: 503, json: { detail: 'The service is starting.' } }

const answer = (handlers: ReturnType<typeof contactResponses>) => {
  for (const [name, handler] of Object.entries(handlers)) site.on(name, handler)
}
beforeEach(() => {
  site.received.length = 0
  answer(signedInResponses())
  answer(contactResponses(contacts))
})

const open = (path = '/dashboard/contacts', options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path, token: 'at_1', ...options })
const table = (page: Page) => page.getByRole('table', { name: 'Contacts' })
/** Addresses of the rows, in their order. */
const emails = (page: Page) => table(page).locator('.contacts-body [role=row] a span').allTextContents()
const queries = (path: string) => site.received.filter((one) => one.path === path).map(({ query }) => query)
const actions = () => site.received.filter(({ path }) => path === '/email/contacts/actions').map(({ body }) => body)
const many = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    sampleContact({ id: String(at + 1), email: `visitor-${at + 1}@example.org`, fields: {} }),
  )

describe('the table of contacts', () => {
  it('CONTACTS-01 CONTACTS-02 has a row per contact: name over address, status as icon and word', async () => {
    await using screen = await open()
    const { page } = screen
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    await expect.poll(() => emails(page)).toEqual([ines.email, tomas.email, desk.email])
    const row = table(page).getByRole('row', { name: /Tomas Weller/ })
    const name = await boxOf(row.locator('b'))
    const address = await boxOf(row.getByText('t.weller@example.com'))
    expect(address.y).toBeGreaterThan(name.y)
    const status = row.getByText('Unsubscribed')
    await expect.poll(() => status.locator('svg').count()).toBe(1)
    await table(page)
      .getByRole('row', { name: /No name frontdesk@example\.org Bounced/ })
      .waitFor()
    await page.getByText('3 contacts').waitFor()
  })

  it.each([
    ['t.wel', [tomas.email]],
    ['@example.org', [ines.email, desk.email]],
    ['Prado', [ines.email]],
    ['Ines', [ines.email]],
  ])('CONTACTS-03 is searched for %s', async (search, found) => {
    await using screen = await open()
    const { page } = screen
    await page.getByRole('searchbox', { name: 'Search' }).fill(search)
    await expect.poll(() => emails(page)).toEqual(found)
    expect(queries('/email/contacts').at(-1)?.get('search')).toBe(search)
  })

  it('CONTACTS-04 is sorted by newest, email and last activity', async () => {
    await using screen = await open()
    const { page } = screen
    await expect.poll(() => emails(page)).toEqual([ines.email, tomas.email, desk.email])
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Email, A to Z')
    await expect.poll(() => emails(page)).toEqual([desk.email, ines.email, tomas.email])
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('Last activity')
    await expect.poll(() => emails(page)).toEqual([tomas.email, ines.email, desk.email])
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Last activity' }).getAttribute('aria-sort'))
      .toBe('descending')
  })

  it('CONTACTS-05 shows the chosen columns, of custom fields too, and the same after a reload', async () => {
    await using screen = await open()
    const { page } = screen
    await page.getByRole('columnheader', { name: 'City' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Plan' }).check()
    await page.getByRole('checkbox', { name: 'City' }).uncheck()
    await page.getByRole('button', { name: 'Done' }).click()
    const headings = () => table(page).getByRole('columnheader').allTextContents()
    const expected = ['', 'Contact', 'Status', 'Member since', 'Plan', 'Added', 'Last activity']
    await expect.poll(headings).toEqual(expected)
    await page.reload()
    await expect.poll(headings).toEqual(expected)
    await table(page).getByRole('cell', { name: 'Pro', exact: true }).waitFor()
  })

  it('CONTACTS-06 shows every one of 10,000 contacts exactly once from the first to the last', async () => {
    answer(contactResponses(many(10_000)))
    await using screen = await open('/dashboard/contacts', { viewport: { width: 1280, height: 1600 } })
    const { page } = screen
    await table(page)
      .getByRole('row', { name: /visitor-1@/ })
      .waitFor()
    const seen = await page.evaluate(async () => {
      const scroller = document.querySelector('.contacts-scroll')!
      const indexes = new Map<string, string>()
      let doubled = 0
      let drawnMaxCount = 0
      const { left, top, bottom } = scroller.getBoundingClientRect()
      const rowAt = (y: number) => document.elementFromPoint(left + 200, y)?.closest('[aria-rowindex]')
      const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))
      const last = `[aria-rowindex="${scroller.querySelector('[aria-rowcount]')!.getAttribute('aria-rowcount')}"]`
      const isAtEnd = () => scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 1
      const hasRows = () => rowAt(top + 60) && (isAtEnd() ? document.querySelector(last) : rowAt(bottom - 60))
      for (let isOver = false; !isOver;) {
        // Until rows are at both ends of what is seen; the last page has its end there.
        for (let tries = 0; tries < 3000 && !hasRows(); tries++) await wait(10)
        const rows = [...document.querySelectorAll('.contacts-body [role=row]')]
        drawnMaxCount = Math.max(drawnMaxCount, rows.length)
        for (const row of rows) {
          const email = row.querySelector('a span')!.textContent
          const index = row.getAttribute('aria-rowindex')!
          if ((indexes.get(email) ?? index) !== index) doubled++
          indexes.set(email, index)
        }
        isOver = isAtEnd()
        scroller.scrollTop += scroller.clientHeight - 60
        await new Promise(requestAnimationFrame)
      }
      return { count: indexes.size, places: new Set(indexes.values()).size, doubled, drawnMaxCount }
    })
    expect(seen).toMatchObject({ count: 10_000, places: 10_000, doubled: 0 })
    expect(seen.drawnMaxCount).toBeLessThan(100)
  }, 300_000)

  it('CONTACTS-07 CONTACTS-08 shows filters as sentences with the number of matches; × removes one', async () => {
    await using screen = await open()
    const { page } = screen
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Bounced')
    await page.getByRole('combobox', { name: 'List' }).selectOption('Newsletter')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Status is Bounced', exact: true }).waitFor()
    await page.getByRole('button', { name: 'List is Newsletter', exact: true }).waitFor()
    await page.getByText('1 match').waitFor()
    await expect.poll(() => emails(page)).toEqual([desk.email])
    await page.getByRole('button', { name: 'Remove the filter “Status is Bounced”' }).click()
    await expect.poll(() => emails(page)).toEqual([ines.email, desk.email])
    await page.getByText('2 match').waitFor()
    expect(queries('/email/contacts').at(-1)?.get('rule')).toBe('{"list":"7","op":"member_of"}')
    await page.reload()
    await page.getByRole('button', { name: 'List is Newsletter', exact: true }).waitFor()
  })

  it('CONTACTS-08 is narrowed to a value of a custom field, which becomes a part of the segment', async () => {
    await using screen = await open()
    const { page } = screen
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Field' }).selectOption('Plan')
    await dialog.getByRole('combobox', { name: 'Plan is' }).selectOption('Pro')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Plan is Pro', exact: true }).waitFor()
    await expect.poll(() => queries('/email/contacts').at(-1)?.get('rule')).toBe('{"field":5,"op":"is","value":"Pro"}')
    await page.getByRole('button', { name: 'Remove the filter “Plan is Pro”' }).click()
    await expect.poll(() => queries('/email/contacts').at(-1)?.get('rule')).toBe(null)
  })

  it('LISTS-07 shows each member of a list as subscribed, not confirmed or unsubscribed', async () => {
    const states = ['subscribed', 'pending', 'unsubscribed'] as const
    site.on('listContacts', ({ query }) => {
      const state = (/"state":"(\w+)"/.exec(query.get('rule') ?? '') ?? [])[1]
      const members = contacts.map((contact, at) => ({ ...contact, list_state: states[at] }))
      return { json: members.filter((contact) => state === undefined || contact.list_state === state) }
    })
    await using screen = await open('/dashboard/contacts?list=7&member=any')
    const { page } = screen
    await table(page).getByRole('columnheader', { name: 'On Newsletter' }).waitFor()
    const shown = () => table(page).locator('.contacts-value.member').allInnerTexts()
    await expect.poll(shown).toEqual(['Subscribed', 'Not confirmed', 'Unsubscribed'])
    await expect.poll(() => table(page).locator('.contacts-value.member svg').count()).toBe(3)
    expect([...queries('/email/contacts').at(-1)!.keys()]).toContain('list_id')
    await page.getByRole('button', { name: 'List is Newsletter, all members', exact: true }).click()
    await page.getByRole('combobox', { name: 'Members' }).selectOption('Not confirmed')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(() => emails(page)).toEqual([tomas.email])
    await page.getByRole('button', { name: 'List is Newsletter, not confirmed', exact: true }).waitFor()
  })

  it('shows the estimate as one until the exact number is there', async () => {
    site.on('countContacts', countEvents({ count: 20_500, is_estimate: true }))
    await using screen = await open('/dashboard/contacts?status=active')
    await screen.page.getByText('About 20,500 match').waitFor()
  })

  it('CONTACTS-09 saves its filters as a segment with the same people', async () => {
    site.on('createSegment', { status: 201, json: sampleSegment({ id: '12' }) })
    await using screen = await open('/dashboard/contacts?status=active&list=7&search=Ines')
    const { page } = screen
    await page.getByRole('button', { name: 'Save as segment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as segment' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a name').waitFor()
    await dialog.getByLabel('Name').fill('Active readers')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => pathOf(page)).toBe('/dashboard/segments/12')
    expect(site.received.find(({ path, method }) => path === '/email/segments' && method === 'POST')?.body).toEqual({
      name: 'Active readers',
      rule: {
        all: [
          { field: 'status', op: 'is', value: 'active' },
          { list: '7', op: 'member_of' },
          {
            any: [
              { field: 'email', op: 'starts_with', value: 'Ines' },
              { field: 1, op: 'starts_with', value: 'Ines' },
              { field: 2, op: 'starts_with', value: 'Ines' },
            ],
          },
        ],
      },
    })
  })

  it('CONTACTS-10 offers all contacts that match once all shown rows are selected', async () => {
    answer(contactResponses(many(250)))
    await using screen = await open()
    const { page } = screen
    await page.getByRole('checkbox', { name: 'Select all rows that are shown' }).check()
    await page.getByText('100 selected').waitFor()
    await page.getByRole('button', { name: 'Select all 250 that match' }).click()
    await page.getByText('250 selected').waitFor()
    await page.getByRole('button', { name: 'Add to list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add 250 contacts' }).click()
    await page.getByText('250 contacts added to the list').waitFor()
    expect(actions()).toEqual([{ kind: 'add_to_list', list_id: '7', filter: {} }])
  })

  it('CONTACTS-11 an action on a selection shows its progress and offers Undo at its end', async () => {
    let state = sampleAction({ state: 'running', done: 1, total: 2 })
    site.on('startContactAction', { status: 202, json: state })
    site.on('getContactAction', () => ({ json: state }))
    await using screen = await open()
    const { page } = screen
    await page.getByRole('checkbox', { name: `Select ${ines.email}` }).check()
    await page.getByRole('checkbox', { name: `Select ${desk.email}` }).check()
    await page.getByRole('button', { name: 'Add to list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add 2 contacts' }).click()
    await page.getByText('1 of 2 done').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    state = sampleAction({ state: 'done', done: 2, total: 2 })
    await page.getByText('2 contacts added to the list').waitFor()
    expect(actions()).toEqual([{ kind: 'add_to_list', list_id: '7', ids: ['1', '3'] }])
    site.on('undoContactAction', { json: sampleAction({ state: 'undone', done: 2, total: 2 }) })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(site.received.filter(({ path }) => path === '/email/contacts/actions/5/undo').length).toBe(1)
  })

  it('sets a field of the selected contacts, moves them to another list, and removes them from one', async () => {
    await using screen = await open('/dashboard/contacts?list=7')
    const { page } = screen
    const select = () => page.getByRole('checkbox', { name: `Select ${ines.email}` }).check()
    await select()
    await page.getByRole('button', { name: 'Set field' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Field' }).selectOption('Plan')
    await dialog.getByRole('combobox', { name: 'New value' }).selectOption('Pro')
    await dialog.getByRole('button', { name: 'Change 1 contact' }).click()
    await page.getByText('1 contact changed').waitFor()
    await select()
    await page.getByRole('button', { name: 'Move to list' }).click()
    await page.getByRole('dialog', { name: 'Move from Newsletter' }).waitFor()
    await dialog.getByRole('button', { name: 'Move 1 contact' }).click()
    await page.getByText('1 contact moved').waitFor()
    await select()
    await page.getByRole('button', { name: 'Remove from Newsletter' }).click()
    await page.getByText('1 contact removed from the list').waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect(actions()).toEqual([
      { kind: 'set_field', field: 'plan', value: 'Pro', ids: ['1'] },
      { kind: 'move_to_list', list_id: '8', from_list_id: '7', ids: ['1'] },
      { kind: 'remove_from_list', list_id: '7', ids: ['1'] },
    ])
  })

  it('writes to the selected contacts, with the values of their fields', async () => {
    await using screen = await open()
    const { page } = screen
    await page.getByRole('checkbox', { name: `Select ${ines.email}` }).check()
    await page.getByRole('checkbox', { name: `Select ${desk.email}` }).check()
    await page.getByRole('button', { name: 'Write to them' }).click()
    await expect.poll(() => pathOf(page)).toBe('/dashboard/send_email')
    await page.getByText(desk.email).first().waitFor()
    await expect
      .poll(() => site.received.findLast(({ method }) => method === 'PUT')?.body)
      .toMatchObject({
        content: {
          recipients: [
            [ines.email, ines.fields],
            [desk.email, {}],
          ],
        },
      })
    await page.reload()
    await page.getByText(ines.email).first().waitFor()
    await expect.poll(() => page.locator('.chip').count()).toBe(2)
  })

  it('writes to all that match as the list or segment that they are, or as a new segment', async () => {
    answer(contactResponses(many(250)))
    site.on('createSegment', { status: 201, json: sampleSegment({ id: '12', name: 'Active readers' }) })
    site.on('listSegments', { json: [sampleSegment({ id: '12', name: 'Active readers' })] })
    const writeToAll = async (page: Page) => {
      await page.getByRole('checkbox', { name: 'Select all rows that are shown' }).check()
      await page.getByRole('button', { name: /^Select all \d+ that match$/ }).click()
      await page.getByRole('button', { name: 'Write to them' }).click()
    }
    const sources = (page: Page) => page.getByRole('list', { name: 'Lists and segments' })
    await using first = await open('/dashboard/contacts?list=7')
    await writeToAll(first.page)
    await sources(first.page).getByText('Newsletter').waitFor()
    await using second = await open('/dashboard/contacts?list=7&status=active')
    await writeToAll(second.page)
    const dialog = second.page.getByRole('dialog', { name: 'Save as segment' })
    await dialog.getByLabel('Name').fill('Active readers')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await sources(second.page).getByText('Active readers').waitFor()
  })

  it('downloads the contacts that match as a CSV that a spreadsheet reads as UTF-8', async () => {
    site.on('exportContacts', {
      text: '\uFEFFemail\r\njürgen@example.org\r\n',
      headers: { 'Content-Type': 'text/csv' },
    })
    await using screen = await open('/dashboard/contacts?status=active')
    const { page } = screen
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toBe('contacts.csv')
    const bytes = await buffer(await file.createReadStream())
    expect(bytes.toString()).toBe('\uFEFFemail\r\njürgen@example.org\r\n')
    expect(queries('/email/contacts/export').at(-1)?.get('status')).toBe('active')
    site.on('exportContacts', failed)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText('The service is starting.').first().waitFor()
  })

  it('CONTACTS-14 asks before selected contacts are deleted, names their number and offers no Undo', async () => {
    await using screen = await open()
    const { page } = screen
    await page.getByRole('checkbox', { name: `Select ${ines.email}` }).check()
    await page.getByRole('checkbox', { name: `Select ${desk.email}` }).check()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 contacts?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 contacts deleted').waitFor()
    expect(actions()).toEqual([{ kind: 'delete', ids: ['1', '3'] }])
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })
})

describe('the states of the contacts screen', () => {
  it('CONTACTS-16 while loading, has skeleton rows as high as real rows', async () => {
    let respond = () => {}
    const wait = new Promise<void>((done) => (respond = done))
    site.on('listContacts', async () => {
      await wait
      return { json: contacts }
    })
    await using screen = await open()
    const { page } = screen
    await page.locator('.contacts-bone').first().waitFor()
    const bone = await boxOf(page.locator('.contacts-bone').first())
    respond()
    const row = await boxOf(table(page).locator('.contacts-body [role=row]').first())
    expect(bone.height).toBe(row.height)
  })

  it('CONTACTS-17 without contacts, says what will stand here and offers the import and Add contact', async () => {
    answer(contactResponses([]))
    await using screen = await open()
    const { page } = screen
    await page.getByText(/The people to whom you send campaigns/).waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Import' }).getAttribute('href'))
      .toBe('/dashboard/imports/new')
    await page.getByRole('button', { name: 'Add contact' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add contact' })
    await dialog.getByLabel('Email').fill('new@example.org')
    await dialog.getByLabel('First name').fill('Nia')
    await dialog.getByRole('combobox', { name: 'List' }).selectOption('Newsletter')
    site.on('createContact', failed409)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('A contact has this address already.').waitFor()
    await expect.poll(() => dialog.getByLabel('Email').evaluate((field) => field === document.activeElement)).toBe(true)
    site.on('createContact', { status: 201, json: sampleContactDetail() })
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('new@example.org was added').waitFor()
    expect(site.received.findLast(({ path, method }) => path === '/email/contacts' && method === 'POST')?.body).toEqual(
      {
        email: 'new@example.org',
        fields: { first_name: 'Nia' },
        list_ids: ['7'],
      },
    )
  })

  it('CONTACTS-18 when nothing matches, says so and clears the filters', async () => {
    await using screen = await open('/dashboard/contacts?search=nobody&status=active')
    const { page } = screen
    await page.getByText('No contact matches the filters.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => emails(page)).toEqual([ines.email, tomas.email, desk.email])
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  it('CONTACTS-19 when the contacts cannot be loaded, shows why, and Try Again loads them', async () => {
    site.on('listContacts', failed)
    await using screen = await open()
    const { page } = screen
    await page.getByText('The service is starting.').waitFor()
    answer(contactResponses(contacts))
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.poll(() => emails(page)).toEqual([ines.email, tomas.email, desk.email])
  })
})

const failed409 = { status: 409, json: { detail: 'A contact has this address already. Change that contact.' } }

it('CONTACTS-20 is operated by keyboard alone: search, filters, rows, selection, actions and the link', async () => {
  await using screen = await open()
  const { page } = screen
  await table(page).waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
  await page.keyboard.press('/')
  await page.keyboard.type('i')
  await expect.poll(() => emails(page)).toEqual([ines.email])
  await page.keyboard.press('Escape')
  await expect.poll(() => emails(page)).toEqual([ines.email, tomas.email, desk.email])
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 40 && (await focused()) !== name; presses++) await page.keyboard.press('Tab')
    expect(await focused()).toBe(name)
  }
  await tabTo('Filter')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Filter contacts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await tabTo(`Select ${ines.email}`)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe(`Select ${tomas.email}`)
  await page.keyboard.press('Space')
  await page.getByText('2 selected').waitFor()
  await tabTo('Add to list')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Add to list' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByText('2 selected').waitFor({ state: 'hidden' })
  await table(page)
    .getByRole('link', { name: /Ines Prado/ })
    .focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => pathOf(page)).toBe('/dashboard/contacts/1')
})

it('CONTACTS-21 at 390 px shows cards that fit, and the selection bar above the bottom bar', async () => {
  await using screen = await open('/dashboard/contacts', { viewport: viewports.phone })
  const { page } = screen
  const row = table(page).getByRole('row', { name: /Ines Prado/ })
  await row.waitFor()
  expect((await row.boundingBox())?.height).toBe(88)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('checkbox', { name: `Select ${ines.email}` }).check()
  const bar = await boxOf(page.locator('.selection-bar'))
  const bottom = await boxOf(page.getByRole('navigation', { name: 'Main screens' }))
  expect(bar.y + bar.height).toBeLessThanOrEqual(bottom.y)
  // What can be done is in one row, below how many are selected and ×.
  const tops = await Promise.all(
    ['Add to list', 'Set field', 'Write to them', 'Delete', 'End the selection'].map(
      async (name) => (await boxOf(page.locator('.selection-bar').getByRole('button', { name, exact: true }))).y,
    ),
  )
  expect(new Set(tops.slice(0, 4)).size).toBe(1)
  expect(tops[4]).toBeLessThan(tops[0] ?? 0)
})

const scenes: Record<string, Scene> = {
  'the contacts with a selection and filters': {
    path: '/dashboard/contacts?list=7',
    token: 'at_1',
    act: (page) => page.getByRole('checkbox', { name: `Select ${ines.email}` }).check(),
  },
  'no contacts': {
    path: '/dashboard/contacts',
    token: 'at_1',
    prepare: () => answer(contactResponses([])),
    act: (page) => page.getByText('No contacts yet').waitFor(),
  },
  'a contact being added': {
    path: '/dashboard/contacts',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add contact' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('Enter an address').waitFor()
    },
  },
  'the filters and the columns': {
    path: '/dashboard/contacts',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Columns' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
}

checkScenes(scenes, () => ({ browser, site }))
