import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Import } from '../../contract/audience/imports/import.ts'
import type { Received } from '../support/api-server.ts'
import { viewports } from '../support/browser.ts'
import { openDashboard, pathOf, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { sampleList, startImportApi } from '../support/import-api.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'

const { browser, site } = await useDashboard()

const header = 'E-Mail;Vorname;Seit;Spende;Verteiler;Notiz;Notiz'
const csv = Buffer.from(
  [
    header,
    ...Array.from(
      { length: 25 },
      (_, at) => `p${at}@example.org;Jürgen ${at};0${(at % 9) + 1}/03/2024;1.5${at};News;a;b`,
    ),
  ].join('\r\n'),
  'latin1',
)
const counts = { added: 18, updated: 3, unchanged: 1, refused: 2, suppressed: 1, repeated: 1, empty: 2 }
const people = { name: 'people.csv', mimeType: 'text/csv', buffer: csv }
const path = '/dashboard/imports/12'

let api: ReturnType<typeof startImportApi>
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  api = startImportApi(site, csv)
})

const open = (at: string, options?: DashboardOptions) =>
  openDashboard(browser, site, { path: at, token: 'at_1', ...options })
const openAt = (step: string, changes: Partial<Import> = { state: 'mapping' }) => {
  api.turn(changes)
  return open(`${path}#${step}`)
}
const calls = (method: string, end: string) =>
  site.received.filter((got: Received) => got.method === method && got.path.endsWith(end))
const title = (page: Page, name: string) => page.getByRole('heading', { level: 2, name }).waitFor()
const primary = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const goesTo = (page: Page, name: string) => page.getByLabel(`${name} goes to`)
const choose = async (page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type=file]').setInputFiles(file)
const steps = (page: Page) =>
  page.getByRole('navigation', { name: 'Steps of the import' }).getByRole('listitem').allInnerTexts()
const current = (page: Page) => page.locator('.import-steps [aria-current=step]').innerText()
const lastPatch = () => calls('PATCH', '/email/imports/12').at(-1)?.body as Record<string, unknown> | undefined

describe('the import wizard', () => {
  it('IMPORT-01 has seven steps, and shows which are done and which one is current', async () => {
    site.on('checkImport', () => api.turn({ state: 'checked', counts }))
    site.on('startImport', () => api.turn({ state: 'running', counts: { ...counts, added: 4 }, bytes_done: 400 }))
    await using opened = await open('/dashboard/imports/new')
    const { page } = opened
    await title(page, 'Which file has the contacts?')
    expect((await steps(page)).map((text) => text.replace(/^\d\s*/, '').trim())).toEqual([
      'File',
      'Detected format',
      'Columns',
      'Consent and list',
      'Check',
      'Progress',
      'Result',
    ])
    expect(await current(page)).toContain('File')
    await choose(page, people)
    await title(page, 'Is the file read correctly?')
    expect(pathOf(page)).toBe(path)
    expect(await current(page)).toContain('Detected format')
    await primary(page, 'Continue')
    await title(page, 'Where does each column go?')
    await primary(page, 'Continue')
    await title(page, 'Consent and list')
    await page.getByLabel('How did these people agree').fill('Form on our site')
    await primary(page, 'Check the file')
    await title(page, 'If you import now')
    expect((await steps(page)).filter((text) => text.includes('done'))).toHaveLength(4)
    await primary(page, 'Import 23 rows')
    await title(page, 'The import is running')
    expect(await current(page)).toContain('Progress')
    api.turn({ state: 'done', counts, bytes_done: csv.length, finished_at: new Date().toISOString() })
    await page.getByText('The import is done. 21 contacts were written.').waitFor()
    expect(await current(page)).toContain('Result')
    expect((await steps(page)).filter((text) => text.includes('done'))).toHaveLength(6)
  })

  it('IMPORT-02 opens at the same step after a reload, with every choice kept', async () => {
    site.on('checkImport', () => api.turn({ state: 'checked', counts }))
    await using opened = await openAt('format')
    const { page } = opened
    await page.getByLabel('Row 1').selectOption('is a contact')
    await expect.poll(() => calls('PATCH', '/12')).toHaveLength(1)
    await page.reload()
    await title(page, 'Is the file read correctly?')
    await expect.poll(() => page.getByLabel('Row 1').inputValue()).toBe('values')
    await page.getByLabel('Row 1').selectOption('is names')
    await primary(page, 'Continue')
    await goesTo(page, 'Vorname').selectOption('Skip this column')
    await page.reload()
    await title(page, 'Where does each column go?')
    await expect.poll(() => goesTo(page, 'Vorname').inputValue()).toBe('skip')
    await primary(page, 'Continue')
    await page.getByLabel('How did these people agree').fill('Fair in Bonn, signed card')
    await page.getByLabel('List that they join').selectOption('Newsletter')
    await page.getByLabel('Leave existing contacts as they are').check()
    await expect
      .poll(() => api.record)
      .toMatchObject({ list_id: '4', mode: 'add', consent: 'Fair in Bonn, signed card' })
    await page.reload()
    await title(page, 'Consent and list')
    await expect
      .poll(() => page.getByLabel('How did these people agree').inputValue())
      .toBe('Fair in Bonn, signed card')
    await expect.poll(() => page.getByLabel('List that they join').inputValue()).toBe('4')
    await expect.poll(() => page.getByLabel('Leave existing contacts as they are').isChecked()).toBe(true)
    await primary(page, 'Check the file')
    await title(page, 'If you import now')
    for (const [changes, name] of [
      [{ state: 'checked', counts }, 'If you import now'],
      [{ state: 'running', counts, bytes_done: 100 }, 'The import is running'],
      [{ state: 'done', counts, finished_at: new Date().toISOString() }, 'Result'],
    ] as const) {
      api.turn(changes)
      await page.reload()
      await title(page, name)
    }
  })

  it('IMPORT-04 IMPORT-05 shows the detected format over 20 rows, and draws them again by another choice', async () => {
    await using opened = await openAt('format')
    const { page } = opened
    const table = page.getByRole('table', { name: 'First rows' })
    await table.getByRole('cell', { name: 'Jürgen 0' }).waitFor()
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('windows-1252')
    await expect.poll(() => page.getByLabel('Between cells').inputValue()).toBe(';')
    await expect.poll(() => table.getByRole('row').count()).toBe(21)
    await page.getByLabel('Between cells').selectOption('comma')
    await table.getByRole('columnheader', { name: header }).waitFor()
    await page.getByLabel('Between cells').selectOption('semicolon')
    await page.getByLabel('Text', { exact: true }).selectOption('Mac Roman')
    await table.getByRole('cell', { name: 'Jürgen 0' }).waitFor({ state: 'detached' })
    await page.getByLabel('Row 1').selectOption('is a contact')
    await table.getByRole('cell', { name: 'E-Mail' }).waitFor()
  })

  it('IMPORT-06 sends each column to the address, a field, a new field, a list, or nowhere', async () => {
    await using opened = await openAt('columns')
    const { page } = opened
    await goesTo(page, 'Vorname').selectOption('First name')
    await goesTo(page, 'Seit').selectOption('Member since')
    await page.getByLabel('Seit is read as').selectOption('Date, 31/12/2026')
    await goesTo(page, 'Verteiler').selectOption('List of that name')
    await goesTo(page, 'Spende').selectOption('Skip this column')
    await goesTo(page, 'Spende').selectOption('New field')
    const row = page.getByRole('row', { name: /Spende/ })
    await row.getByText('Name and type').click()
    await row.getByLabel('Name of the field').fill('Größte Spende')
    await row.getByText('In a mail: {{grosste_spende}}').waitFor()
    await expect.poll(() => row.getByLabel('Type').inputValue()).toBe('number')
    for (const notes of await page.getByLabel('Notiz goes to').all()) await notes.selectOption('Skip this column')
    await expect
      .poll(() => api.targets())
      .toEqual([
        { kind: 'email' },
        { kind: 'field', no: 1 },
        { kind: 'field', no: 7, style: 'DD/MM/YYYY' },
        { kind: 'new_field', key: 'grosste_spende', label: 'Größte Spende', type: 'number', style: '1,234.5' },
        { kind: 'list' },
        { kind: 'skip' },
        { kind: 'skip' },
      ])
  })

  it('IMPORT-07 shows two columns of one name as two, which can go to different fields', async () => {
    await using opened = await openAt('columns')
    const { page } = opened
    const notes = goesTo(page, 'Notiz')
    await expect.poll(() => notes.count()).toBe(2)
    // It is suggested for the first name.
    await goesTo(page, 'Vorname').selectOption('Skip this column')
    await notes.first().selectOption('First name')
    await notes.last().selectOption('Last name')
    await expect
      .poll(() => api.targets().slice(5))
      .toEqual([
        { kind: 'field', no: 1 },
        { kind: 'field', no: 2 },
      ])
  })

  it('IMPORT-08 asks for a column of the address, and lets one column only have it', async () => {
    await using opened = await openAt('columns')
    const { page } = opened
    await goesTo(page, 'Vorname').selectOption('Address')
    await page.getByText('One column only has the address: E-Mail is skipped now.').waitFor()
    await expect.poll(() => goesTo(page, 'E-Mail').inputValue()).toBe('skip')
    await goesTo(page, 'Vorname').selectOption('Skip this column')
    await primary(page, 'Continue')
    const alert = page.getByRole('alert').getByText('No column goes to the address. Choose one.')
    await alert.waitFor()
    // The choice is saved a moment later; the sentence stays.
    await expect.poll(() => JSON.stringify(lastPatch()?.['targets'])).not.toContain('email')
    await page.getByText('Saved, you can close this page').waitFor()
    await expect.poll(() => alert.isVisible()).toBe(true)
    await title(page, 'Where does each column go?')
    await goesTo(page, 'E-Mail').selectOption('Address')
    await primary(page, 'Continue')
    await title(page, 'Consent and list')
  })

  it('asks for the consent once, and makes the list that people join', async () => {
    site.on('createList', ({ body }) => {
      const list = sampleList({ id: '9', ...(body as object) })
      site.on('listLists', { json: [sampleList(), list] })
      return { status: 201, json: list }
    })
    await using opened = await openAt('consent')
    const { page } = opened
    await primary(page, 'Check the file')
    await page.getByText('Say how these people agreed.').waitFor()
    expect(calls('POST', '/check')).toHaveLength(0)
    await page.getByLabel('List that they join').selectOption('New list…')
    await page.getByLabel('Name of the new list').fill('Fair 2026')
    await page.keyboard.press('Enter')
    await expect.poll(() => lastPatch()).toMatchObject({ list_id: '9' })
    await expect.poll(() => page.getByLabel('List that they join').inputValue()).toBe('9')
  })

  it('IMPORT-12 says at the check that nothing is written yet, with counts that add up to the rows', async () => {
    site.on('checkImport', () => api.turn({ state: 'checking', counts: null, bytes_done: 200 }))
    await using opened = await openAt('consent', { state: 'mapping', consent: 'Form on our site' })
    const { page } = opened
    await primary(page, 'Check the file')
    await page.getByRole('progressbar', { name: 'Checking every row' }).waitFor()
    await page.getByText('Nothing is written yet.').waitFor()
    api.turn({ state: 'checked', counts })
    await page.getByRole('button', { name: 'Import 23 rows' }).waitFor()
    await page.getByText('Nothing is written yet.').waitFor()
    const shown = await page.locator('.import-counts dd').allInnerTexts()
    expect(shown).toEqual(['18', '3', '1', '1', '2', '25'])
    const writes = site.received.filter(
      ({ method, path: to }) => method !== 'GET' && !to.startsWith('/email/imports/12'),
    )
    expect(writes.map(({ path: to }) => to)).toEqual([])
    expect(calls('POST', '/start')).toEqual([])
  })

  it('IMPORT-14 shows the progress of a running import, the same after a reload and in a second tab', async () => {
    api.turn({ state: 'running', counts: { ...counts, added: 7 }, bytes_done: Math.ceil(csv.length / 4) })
    await using first = await open(path)
    await using second = await open(path)
    const bar = (page: Page) => page.getByRole('progressbar', { name: 'Importing' })
    const part = (page: Page) => bar(page).getAttribute('aria-valuenow')
    await expect.poll(() => part(first.page)).toBe('25')
    await expect.poll(() => part(second.page)).toBe('25')
    await first.page.reload()
    await expect.poll(() => part(first.page)).toBe('25')
    api.turn({ bytes_done: Math.ceil(csv.length / 2) })
    for (const { page } of [first, second]) await expect.poll(() => part(page)).toBe('50')
  })

  it('IMPORT-15 cancels a running import, and says how many contacts had been written', async () => {
    site.on('cancelImport', () =>
      api.turn({
        state: 'cancelled',
        counts: { ...counts, added: 9, updated: 1 },
        finished_at: new Date().toISOString(),
      }),
    )
    await using opened = await openAt('', { state: 'running', counts, bytes_done: 100 })
    const { page } = opened
    await primary(page, 'Cancel import')
    const dialog = page.getByRole('dialog', { name: 'Cancel this import?' })
    await dialog.getByRole('button', { name: 'Cancel import' }).click()
    await page.getByText('The import is cancelled. 10 contacts had been written.').waitFor()
  })

  it('IMPORT-34 gives the refused rows as a CSV', async () => {
    site.on('exportImportRefusals', {
      text: 'line,reason\r\n7,No address\r\n',
      headers: { 'Content-Type': 'text/csv' },
    })
    await using opened = await openAt('', { state: 'done', counts, finished_at: new Date().toISOString() })
    const { page } = opened
    const saving = page.waitForEvent('download')
    await primary(page, 'Get the 2 refused rows as CSV')
    expect((await saving).suggestedFilename()).toBe('refused-rows.csv')
  })

  it('IMPORT-39 shows the days left to take the import back, and does not offer it after 30 days', async () => {
    site.on('undoImport', () => api.turn({ state: 'undoing' }))
    const dayMs = 86_400_000
    const done = (leftMs: number) => {
      const until = Date.now() + leftMs
      return { undo_until: new Date(until).toISOString(), finished_at: new Date(until - 30 * dayMs).toISOString() }
    }
    await using opened = await openAt('', { state: 'done', counts, ...done(12 * dayMs - 60_000) })
    const { page } = opened
    await page.getByText('12 days left to take this import back.').waitFor()
    api.turn(done(-1000))
    await page.reload()
    await page.getByText('This import can no longer be taken back.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Take back' }).count()).toBe(0)
    api.turn(done(dayMs))
    await page.reload()
    await primary(page, 'Take back')
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
    await page.getByText('Taking the import back…').waitFor()
    api.turn({ state: 'undone', kept: 2 })
    await page.getByText('2 contacts were used or changed since and stay.').waitFor()
  })

  it('IMPORT-41 resumes an import that stopped', async () => {
    site.on('startImport', () => api.turn({ state: 'running', error: null }))
    const error = 'The import stopped because of an error on our side. Resume it.'
    await using opened = await openAt('', { state: 'failed', counts, error })
    const { page } = opened
    await page.getByRole('alert').getByText(error).waitFor()
    await primary(page, 'Resume')
    await title(page, 'The import is running')
  })

  it('IMPORT-24 goes back to the choices where the check finds a fault of the file, with its sentence', async () => {
    const error = 'A quote that begins in line 3 is not closed. Close it, then upload the file again.'
    await using opened = await openAt('check', { state: 'checking', counts: null })
    const { page } = opened
    await page.getByRole('progressbar', { name: 'Checking every row' }).waitFor()
    api.turn({ state: 'mapping', error })
    await page.getByRole('alert').getByText(error).waitFor()
    await title(page, 'Consent and list')
  })

  it('IMPORT-43 is operated by keyboard alone, and announces its errors', async () => {
    site.on('checkImport', {
      status: 422,
      json: { detail: [{ loc: ['file'], msg: 'The file has no rows below its header.', type: 'file' }] },
    })
    await using opened = await open('/dashboard/imports/new')
    const { page } = opened
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab')
        const own = await page.evaluate(() => {
          const element = document.activeElement as HTMLInputElement | null
          const label = element?.labels?.[0]?.textContent
          return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? ''
        })
        if (own === name) return
      }
      throw new Error(`Tab does not reach ${name}.`)
    }
    // Before the first key: the browser has to hand the choice over by the time Enter is pressed.
    const asking = page.waitForEvent('filechooser')
    await title(page, 'Which file has the contacts?')
    await tabTo('Choose a file')
    await page.keyboard.press('Enter')
    await (await asking).setFiles(people)
    await title(page, 'Is the file read correctly?')
    await tabTo('Continue')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Where does each column go?')
    await tabTo('Vorname goes to')
    await page.keyboard.type('Skip')
    await expect.poll(() => api.targets()[1]).toEqual({ kind: 'skip' })
    await tabTo('Continue')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('Consent and list')
    await tabTo('How did these people agree to get mail from you?')
    await page.keyboard.type('Signed card')
    await tabTo('Check the file')
    await page.keyboard.press('Space')
    await page.getByRole('alert').getByText('The file has no rows below its header.').waitFor()
  })
})

describe('the file of an import', () => {
  it('IMPORT-19 is uploaded in pieces, and goes on from the last stored one', async () => {
    const big = Buffer.alloc(2.5 * 1024 * 1024, 'a@example.org\n')
    api = startImportApi(site, big)
    const store = (): { json: Import } => api.turn({ received_bytes: 1024 * 1024 }) as { json: Import }
    let isDown = true
    site.on('uploadImportFile', ({ headers }) => {
      if (headers['content-range']?.startsWith('bytes 0-')) return store()
      if (isDown) return { status: 503, json: { detail: 'The service is starting.' } }
      const isLast = headers['content-range']?.startsWith('bytes 2097152-') === true
      return api.turn(isLast ? { state: 'mapping' } : { received_bytes: 2 * 1024 * 1024 })
    })
    await using opened = await open('/dashboard/imports/new')
    const { page } = opened
    await choose(page, { name: 'big.csv', mimeType: 'text/csv', buffer: big })
    await page.getByRole('alert').getByText('The service is starting.').waitFor()
    expect(calls('POST', '/email/imports')[0]?.body).toEqual({
      file_name: 'big.csv',
      size_bytes: big.length,
      sha256: api.sha256,
    })
    // After a reload the page has no file any more: it asks for it.
    await page.reload()
    await page.getByText('Choose people.csv again: it goes on where it stopped.').waitFor()
    await choose(page, { name: 'other.csv', mimeType: 'text/csv', buffer: Buffer.from('x') })
    await page.getByRole('alert').getByText('This is another file than people.csv').waitFor()
    isDown = false
    await choose(page, { name: 'people.csv', mimeType: 'text/csv', buffer: big })
    await title(page, 'Is the file read correctly?')
    const ranges = calls('PUT', '/file').map(({ headers }) => headers['content-range'])
    expect(ranges.filter((range) => range?.startsWith('bytes 0-'))).toHaveLength(1)
    expect(ranges.slice(-2)).toEqual(['bytes 1048576-2097151/2621440', 'bytes 2097152-2621439/2621440'])
  })

  it('can be dropped, or pasted as text, and a workbook of another kind than XLSX is refused with a sentence', async () => {
    await using opened = await open('/dashboard/imports/new')
    const { page } = opened
    await choose(page, { name: 'people.xls', mimeType: 'application/octet-stream', buffer: Buffer.from('x') })
    await page.getByRole('alert').getByText('This kind of workbook cannot be read.').waitFor()
    await choose(page, { name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.from('') })
    await page.getByRole('alert').getByText('The file is empty.').waitFor()
    await page.getByLabel('Or paste rows').fill('email\na@example.org\n')
    await primary(page, 'Use these rows')
    await page.waitForURL(`**${path}`)
    expect(calls('POST', '/email/imports')[0]?.body).toMatchObject({ file_name: 'Pasted rows.txt', size_bytes: 20 })
    await page.goto(`${site.url}/dashboard/imports/new`)
    await title(page, 'Which file has the contacts?')
    const drop = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['email\nb@example.org\n'], 'dropped.csv', { type: 'text/csv' }))
      return transfer
    })
    await page.dispatchEvent('main', 'drop', { dataTransfer: drop })
    await expect.poll(() => calls('POST', '/email/imports').at(-1)?.body).toMatchObject({ file_name: 'dropped.csv' })
  })

  it('is below the last imports, each of which leads to its step', async () => {
    site.on('listImports', { json: [{ ...api.record, state: 'done', counts, columns: [], preview: [] }] })
    api.turn({ state: 'done', counts, finished_at: new Date().toISOString() })
    await using opened = await open('/dashboard/imports/new')
    const { page } = opened
    await page.getByRole('row', { name: /people.csv Imported 18 3 2/ }).waitFor()
    await page.getByRole('link', { name: 'people.csv' }).click()
    await title(page, 'Result')
  })

  it('IMPORT-42 of an unknown import leads to a new one', async () => {
    site.on('getImport', { status: 404, json: { detail: 'No import has this id.' } })
    await using opened = await open('/dashboard/imports/99')
    await opened.page.getByRole('link', { name: 'Import a file' }).waitFor()
  })

  it('has every step within the width of a phone', async () => {
    for (const [step, changes] of [
      ['format', { state: 'mapping' }],
      ['columns', { state: 'mapping' }],
      ['consent', { state: 'mapping' }],
      ['check', { state: 'checked', counts }],
    ] as const) {
      api.turn(changes)
      await using opened = await open(`${path}#${step}`, { viewport: viewports.phone })
      const { page } = opened
      await page.locator('#import-step-title').waitFor()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, step).toBeLessThanOrEqual(viewports.phone.width)
    }
  })
})

const sceneAt = (step: string, changes: Partial<Import>, text: string): Scene => ({
  path: `${path}#${step}`,
  token: 'at_1',
  prepare: () => void api.turn(changes),
  act: (page) => page.getByText(text).first().waitFor(),
})
const finished = { state: 'done', counts, finished_at: '2025-08-14T09:30:00.000Z' } as const

checkScenes(
  {
    'the first step with the last imports': {
      path: '/dashboard/imports/new',
      token: 'at_1',
      prepare: () => site.on('listImports', { json: [{ ...api.record, ...finished }] }),
      act: (page) => page.getByText('Imported').waitFor(),
    },
    'the format': sceneAt('format', { state: 'mapping' }, 'Jürgen 3'),
    'the columns': sceneAt('columns', { state: 'mapping' }, 'Where does each column go?'),
    'consent and list': sceneAt('consent', { state: 'mapping' }, 'List that they join'),
    'the check': sceneAt('check', { state: 'checked', counts }, 'Nothing is written yet.'),
    'the progress': sceneAt('', { state: 'running', counts, bytes_done: 300 }, 'You can close this page'),
    'the result': sceneAt('', finished, 'The import is done.'),
  },
  () => ({ browser, site }),
)
