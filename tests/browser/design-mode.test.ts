import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, boxOf, viewports } from '../support/browser.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { bodyOf, sampleDesign, sampleRow, textBlock } from '../support/design-samples.ts'
import { sampleUser } from '../support/samples.ts'

const { browser, site } = await useDashboard()
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

  it('a double click edits a block that is partly out of the window, or whose item in the list is: nothing moves', async () => {
    const design = sampleDesign([sampleRow([textBlock('a', 'Salt'), textBlock('b', 'Paper')])])
    const draft = { mailboxId: 'cfg_1', subject: 'News', context: {}, recipients: [], mode: 'design', design }
    const content = { ...draft, messageBody: bodyOf(design) }
    site.on('getDraft', { json: { content, revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] } })
    for (const [name, words] of [
      ['Text: Salt', 'Saltz'],
      ['Text: Paper', 'Paperz'],
    ] as const) {
      await using opened = await open({ path: '/dashboard/send_email', viewport: { width: 1280, height: 900 } })
      const { page } = opened
      const { x, y } = await boxOf(block(page, name))
      if (name === 'Text: Paper') await page.setViewportSize({ width: 1280, height: Math.floor(y) + 10 })
      await page.mouse.dblclick(x + 10, y + 6)
      await page.keyboard.press('z')
      await mail(page).getByText(words).waitFor()
    }
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

  it('a paste into a text block brings its words alone: no script, handler or link of the clipboard is in the message', async () => {
    await using opened = await open()
    const { page } = opened
    await add(page, 'Text')
    await canvas(page)
      .getByRole('group', { name: /^Text: / })
      .dblclick()
    await page.keyboard.press('Control+a')
    const html =
      '<script>window.hacked = 1</script><p onclick="window.hacked = 1">Doors <b>open</b></p>' +
      '<img src="x:" onerror="window.hacked = 1"><a href="javascript:window.hacked=1">at six</a>'
    await canvas(page)
      .locator('[contenteditable="true"]')
      .evaluate((place, html) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', html)
        clipboardData.setData('text/plain', 'Doors <i>open</i> at six')
        place.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true, cancelable: true }),
        )
      }, html)
    await mail(page).getByText('Doors <i>open</i> at six').waitFor()
    await page.keyboard.press('Escape')
    await block(page, 'Text: Doors <i>open</i> at six').waitFor()
    await expect.poll(() => JSON.stringify(drafts().at(-1))).toContain('"text":"Doors <i>open</i> at six"')
    expect(await mail(page).innerHTML()).not.toMatch(/<(script|img|a)\b|hacked/i)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })

  it('a message whose design a newer version has made is only shown, with a sentence that says why, and stays as it is', async () => {
    const design = { ...sampleDesign([sampleRow([textBlock('a', 'From the next edition')])]), version: 2 }
    const content = {
      ...{ mailboxId: '', subject: 'News', context: {}, recipients: ['ines@example.org'] },
      ...{ mode: 'design', design, messageBody: '<p>From the next edition</p>' },
    }
    site.on('getDraft', { json: { content, revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] } })
    await using opened = await openDashboard(browser, site, {
      ...{ path: '/dashboard/send_email', token: 'at_1', viewport: { width: 1280, height: 1400 } },
    })
    const { page } = opened
    await page.getByText('The design of this message can only be read').waitFor()
    await page.getByText('A newer edition of the product has made it.').waitFor()
    await mail(page).getByText('From the next edition').waitFor()
    await expect.poll(() => canvas(page).count()).toBe(0)
    await page.getByLabel('Subject Line').fill('Other news')
    await expect.poll(() => drafts().at(-1)).toMatchObject({ content: { subject: 'Other news', design } })
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
