import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiServer } from '../support/api-server.ts'
import { axeViolations, connectBrowser, viewports } from '../support/browser.ts'
import { openDashboard, startDashboard, type DashboardOptions } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { bodyOf, sampleDesign, sampleRow, textBlock } from '../support/design-samples.ts'
import { sampleUser } from '../support/samples.ts'

let browser: Browser
let site: ApiServer
beforeAll(async () => {
  site = await startDashboard()
  browser = await connectBrowser()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('getCurrentUser', { json: sampleUser({ preferences: {} }) })
})

/** Opens Send Email in Design mode. */
async function open(options: DashboardOptions = {}) {
  const opened = await openDashboard(browser, site, {
    path: '/dashboard/send_email?mode=design',
    token: 'at_1',
    viewport: { width: 1280, height: 1400 },
    ...options,
  })
  await palette(opened.page).waitFor()
  return opened
}
const palette = (page: Page) => page.getByRole('region', { name: 'Add a block' })
const add = (page: Page, name: string) => palette(page).getByRole('button', { name, exact: true }).click()
const canvas = (page: Page) => page.getByRole('group', { name: 'Mail', exact: true })
const block = (page: Page, name: string) => canvas(page).getByRole('group', { name, exact: true })
const settings = (page: Page) => page.getByRole('region', { name: 'Settings' })
const mail = (page: Page) => page.getByRole('document', { name: 'Message' })
const tool = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Snippets' }).getByRole('button', { name, exact: true })
const namesOf = (page: Page) =>
  page.getByRole('treeitem').evaluateAll((items) => items.map((each) => each.ariaLabel ?? each.textContent))
const drafts = () =>
  site.received.filter(({ method, path }) => method === 'PUT' && path.startsWith('/drafts/')).map(({ body }) => body)

describe('Design mode of Send Email', () => {
  it('edits blocks on the canvas, shows them in the preview and keeps them in the draft', async () => {
    await using opened = await open()
    const { page } = opened
    await add(page, 'Heading')
    await block(page, 'Heading: Your heading').dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Salt and Paper')
    await page.keyboard.press('Escape')
    await mail(page).getByText('Salt and Paper').waitFor()
    await add(page, 'Button')
    await settings(page).getByLabel('Words on the button').fill('Keep my places')
    await settings(page).getByLabel('Goes to').fill('https://example.com/salt')
    await settings(page).getByLabel('Goes to').press('Enter')
    await expect
      .poll(() => mail(page).getByRole('link', { name: 'Keep my places' }).getAttribute('href'))
      .toBe('https://example.com/salt')
    await expect.poll(() => drafts().at(-1)).toMatchObject({ content: { mode: 'design', design: { version: 1 } } })
    // Enter in a field of the settings launches nothing.
    expect(site.received.filter(({ path }) => path.startsWith('/email/send-mail/'))).toEqual([])
  })

  it('the tools of every mode add blocks, make a selection bold and insert a variable', async () => {
    await using opened = await open()
    const { page } = opened
    await tool(page, 'Button').click()
    await tool(page, 'Table').click()
    await expect.poll(() => namesOf(page)).toEqual(expect.arrayContaining(['Button: Your button']))
    await add(page, 'Text')
    await block(page, 'Text: Your text').last().dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Dear ')
    await tool(page, 'Merge variable').click()
    await page.getByLabel('Insert a variable').selectOption('first_name')
    await page.keyboard.type(', come')
    await page.keyboard.press('Shift+Control+ArrowLeft')
    await tool(page, 'Bold').click()
    await page.keyboard.press('Escape')
    await page.getByLabel('Recipients', { exact: true }).fill('ines@example.org')
    await page.keyboard.press('Enter')
    await expect.poll(() => mail(page).innerText()).toMatch(/Dear\s.*, come/)
    await expect.poll(() => mail(page).locator('b, strong').allInnerTexts()).toContain('come')
    await tool(page, 'Colour').click()
    await expect
      .poll(() =>
        settings(page)
          .getByLabel('Colour', { exact: true })
          .evaluate((one) => one.matches(':focus')),
      )
      .toBe(true)
  })

  it('CANVAS-24 a message whose rendered HTML is above 102 kB brings the warning that Gmail clips it', async () => {
    const design = sampleDesign([
      sampleRow(Array.from({ length: 12 }, (_, at) => textBlock(`b${at}`, 'x'.repeat(9000)))),
    ])
    const content = {
      ...{ mailboxId: '', subject: 'News', context: {}, recipients: [] },
      ...{ mode: 'design', design, messageBody: bodyOf(design) },
    }
    site.on('getDraft', { json: { content, revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] } })
    await using opened = await open()
    const { page } = opened
    const warning = page.getByRole('note').filter({ hasText: 'Gmail will clip this mail' })
    await warning.waitFor()
    for (let left = 12; left > 9; left--) {
      await page.getByRole('treeitem').nth(1).click()
      await page.keyboard.press('Delete')
    }
    await warning.waitFor({ state: 'detached' })
  })

  it.each([
    ['desktop', 'light'],
    ['desktop', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const)('has no finding of axe on a %s in %s mode', async (viewport, colorScheme) => {
    await using opened = await open({ viewport: viewports[viewport], colorScheme })
    const { page } = opened
    await add(page, 'Heading')
    await add(page, 'Button')
    await mail(page).getByText('Your button').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})
