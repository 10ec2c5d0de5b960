import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, viewports } from '../support/browser.ts'
import { pathOf, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { sampleTemplate } from '../support/samples.ts'
import { pageOf } from '../support/template-pages.ts'
import { openTemplates, setTemplateResponses } from '../support/template-screens.ts'

const { browser, site } = await useDashboard()
beforeEach(() => setTemplateResponses(site))

const open = (options?: DashboardOptions) => openTemplates(browser, site, '/dashboard/templates', options)
const rows = (page: Page) => page.getByRole('list', { name: 'Templates' }).getByRole('listitem')
const changes = () => site.received.filter(({ method }) => method !== 'GET')
const lists = () => site.received.filter(({ method, path }) => method === 'GET' && path === '/email/templates')
const search = (page: Page) => page.getByPlaceholder('Search in subjects, content, or tags...')
const invoice = (page: Page) => rows(page).filter({ hasText: 'Your invoice' })

describe('the templates screen', () => {
  it("TEMPLATES-01 lists the user's own templates", async () => {
    await using opened = await open()
    await expect.poll(() => rows(opened.page).count()).toBe(2)
    await expect.poll(() => site.received.map(({ path }) => path)).toContain('/email/templates')
  })

  it('TEMPLATES-02 has a search box', async () => {
    await using opened = await open()
    await search(opened.page).waitFor()
  })

  it.each([
    ['TEMPLATES-03 the search matches subjects', 'YOUR INV'],
    ['TEMPLATES-04 the search matches content', 'sum is due'],
    ['TEMPLATES-05 the search matches tags', 'number'],
  ])('%s', async (_row, query) => {
    await using opened = await open()
    await rows(opened.page).nth(1).waitFor()
    await search(opened.page).fill(query)
    await expect.poll(() => rows(opened.page).count()).toBe(1)
    await invoice(opened.page).waitFor()
  })

  it("TEMPLATES-06 has a 'New Template' link, which opens the designer", async () => {
    await using opened = await open()
    await opened.page.getByRole('link', { name: 'New Template' }).click()
    await opened.page.getByRole('heading', { name: 'New Template' }).waitFor()
    await expect.poll(() => pathOf(opened.page)).toBe('/dashboard/create')
  })

  it('TEMPLATES-07 each row shows the subject', async () => {
    await using opened = await open()
    await invoice(opened.page).getByText('Your invoice {{number}}').waitFor()
  })

  it('TEMPLATES-08 each row shows the key', async () => {
    await using opened = await open()
    await invoice(opened.page).getByText('your-invoice-77aa12bc').waitFor()
  })

  it('TEMPLATES-09 each row shows the created date', async () => {
    await using opened = await open()
    await invoice(opened.page).getByText('2 Sept 2025').waitFor()
  })

  it('TEMPLATES-10 each row has an edit action, which opens the template in the designer', async () => {
    await using opened = await open()
    await invoice(opened.page).getByRole('button', { name: 'Edit Your invoice {{number}}' }).click()
    await expect.poll(() => opened.page.getByLabel('Subject').inputValue()).toBe('Your invoice {{number}}')
  })

  it('TEMPLATES-11 each row has a copy-key action, which confirms the copy', async () => {
    await using opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = opened
    await invoice(page).getByRole('button', { name: 'Copy key of' }).click()
    await page.getByText('Copied to clipboard').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('your-invoice-77aa12bc')
  })

  it('TEMPLATES-12 TEMPLATES-13 each row has a delete action with a confirmation', async () => {
    await using opened = await open()
    await invoice(opened.page).getByRole('button', { name: 'Delete' }).click()
    const dialog = opened.page.getByRole('dialog')
    await dialog.getByText('Are you sure you want to delete this email template').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => rows(opened.page).count()).toBe(2)
    expect(site.received.filter(({ method }) => method === 'DELETE')).toEqual([])
  })

  it('TEMPLATES-14 TEMPLATES-15 a preview modal shows a template and links to the designer', async () => {
    await using opened = await open()
    const { page } = opened
    await invoice(page).getByRole('button', { name: 'Your invoice {{number}}', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('iframe').contentFrame().getByText('the sum is due').waitFor()
    await dialog.getByRole('button', { name: 'Edit in Designer' }).click()
    await expect.poll(() => page.getByLabel('HTML body').inputValue()).toContain('the sum is due')
  })

  it('the preview closes on Esc, from its frame too, and restores the focus', async () => {
    await using opened = await open()
    const { page } = opened
    const subject = invoice(page).getByRole('button', { name: 'Your invoice {{number}}', exact: true })
    for (const isInside of [false, true]) {
      await subject.press('Enter')
      const text = page.getByRole('dialog').locator('iframe').contentFrame().getByText('the sum is due')
      await text.waitFor()
      if (isInside) await text.click()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await expect.poll(() => subject.evaluate((element) => element === document.activeElement)).toBe(true)
    }
  })

  it('TEMPLATES-16 deleting a template removes it from the local list, and Undo restores it', async () => {
    await using opened = await open()
    const { page } = opened
    await invoice(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => rows(page).count()).toBe(1)
    await expect.poll(() => changes().at(-1)).toMatchObject({ method: 'DELETE', path: '/email/template/tpl_3' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await expect.poll(() => changes().at(-1)).toMatchObject({ method: 'POST', path: '/email/template/tpl_3/restore' })
  })

  it('ERRORS-33 a failed delete shows a toast, and the row stays', async () => {
    site.on('deleteEmailTemplate', { status: 503, json: { detail: 'The service is stopping.' } })
    await using opened = await open()
    const { page } = opened
    await invoice(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('The template could not be deleted. The service is stopping.').waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
  })

  it('duplicates a template', async () => {
    await using opened = await open()
    await invoice(opened.page).getByRole('button', { name: 'Duplicate' }).click()
    await expect.poll(() => rows(opened.page).count()).toBe(3)
    await expect
      .poll(() => changes().at(-1)?.body)
      .toEqual({
        subject: 'Your invoice {{number}}',
        body: '<p>Dear customer, the sum is due.</p>',
        context: ['number'],
      })
  })

  it("ERRORS-19 a list that fails to load shows a toast and an error with 'Try Again'", async () => {
    site.on('getEmailTemplates', { status: 503, json: { detail: 'The service is starting.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('alert').filter({ hasText: 'Error occured loading templates' }).first().waitFor()
    setTemplateResponses(site)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
  })

  it('offers the next step when there are no templates', async () => {
    setTemplateResponses(site, [])
    await using opened = await open()
    const empty = opened.page.getByRole('region', { name: 'My templates' })
    await empty.getByRole('heading', { name: 'No templates yet' }).waitFor()
    await empty.getByRole('link', { name: 'Browse the template library' }).waitFor()
  })

  it('renders only the visible ones of 10,000 templates, and reaches the last', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) =>
      sampleTemplate({ id: `tpl_${at}`, key: `letter-${at}`, subject: `Letter number ${at}` }),
    )
    setTemplateResponses(site)
    site.on('getEmailTemplates', ({ query }) => pageOf(many, query))
    await using opened = await open()
    const { page } = opened
    await page.getByText('10,000').waitFor()
    await expect.poll(() => rows(page).count()).toBeLessThan(60)
    expect(lists()).toHaveLength(1)
    await expect.poll(() => rows(page).first().getAttribute('aria-setsize')).toBe('10000')
    const last = rows(page).filter({ hasText: 'Letter number 9999' })
    await expect
      .poll(
        async () => {
          await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
          return last.count()
        },
        { timeout: 40_000 },
      )
      .toBe(1)
    await expect.poll(() => last.getAttribute('aria-posinset')).toBe('10000')
    await expect.poll(() => rows(page).count()).toBeLessThan(60)
    // All are there now: the search needs no request.
    expect(lists()).toHaveLength(20)
    await search(page).fill('letter-4242')
    await rows(page).filter({ hasText: 'Letter number 4242' }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(lists()).toHaveLength(20)
  })

  it('finds on the server what is not loaded yet, and keeps what is loaded where that fails', async () => {
    const many = Array.from({ length: 1200 }, (_, at) =>
      sampleTemplate({
        id: `tpl_${at}`,
        key: `letter-${at}`,
        subject: `Letter number ${at}`,
        body: `<p>${at % 100 === 3 ? 'A rare <b>orchid</b>' : 'A rose'}</p>`,
        created_at: new Date(Date.UTC(2025, 8, 1) - at * 1000).toISOString(),
      }),
    )
    setTemplateResponses(site)
    const answer = Promise.withResolvers<undefined>()
    site.on('getEmailTemplates', async ({ query }) => {
      if (query.has('search')) await answer.promise
      return pageOf(many, query)
    })
    await using opened = await open({ allowFaults: /503/ })
    const { page } = opened
    await page.getByText('1,200').waitFor()
    await search(page).fill('orchid')
    // The loaded ones at once, the others with the answer.
    await expect.poll(() => rows(page).count()).toBe(5)
    await expect.poll(() => lists().length).toBe(2)
    await expect.poll(() => rows(page).count()).toBe(5)
    answer.resolve(undefined)
    await rows(page).filter({ hasText: 'Letter number 1103' }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(12)
    await page.getByText('12 of 1,200').waitFor()
    expect(lists()[1]?.query.get('search')).toBe('orchid')
    // A row that is not in the loaded pages is deleted and brought back like any other.
    await rows(page).filter({ hasText: 'Letter number 1103' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => rows(page).count()).toBe(11)
    site.on('restoreEmailTemplate', { json: many[1103]! })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows(page).count()).toBe(12)
    await rows(page).last().getByText('Letter number 1103').waitFor()
    await page.getByText('12 of 1,200').waitFor()
    site.on('getEmailTemplates', { status: 503, json: { detail: 'The service is stopping.' } })
    await search(page).fill('rose')
    await page.getByRole('alert').getByText('The service is stopping.').waitFor()
    await expect.poll(() => rows(page).count()).toBeGreaterThan(5)
    site.on('getEmailTemplates', ({ query }) => pageOf(many, query))
    await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).click()
    await page.getByText('1,188 of 1,200').waitFor()
  })

  it('/ focuses the search', async () => {
    await using opened = await open()
    await rows(opened.page).first().waitFor()
    await opened.page.keyboard.press('/')
    await opened.page.keyboard.type('due')
    await expect.poll(() => rows(opened.page).count()).toBe(1)
  })

  it('fits a phone without scrolling sideways', async () => {
    await using opened = await open({ viewport: viewports.phone })
    await rows(opened.page).first().waitFor()
    await expect.poll(() => opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})

describe('on the narrowest phone', () => {
  it('the search placeholder is fully visible', async () => {
    await using opened = await open({ viewport: { width: 360, height: 800 } })
    const search = opened.page.getByRole('searchbox')
    await search.waitFor()
    const [needPx, havePx] = await search.evaluate((input: HTMLInputElement) => {
      const style = getComputedStyle(input)
      const text = document.createElement('span')
      text.textContent = input.placeholder
      text.style.cssText = 'position: absolute; white-space: nowrap'
      text.style.font = style.font
      document.body.append(text)
      return [
        text.getBoundingClientRect().width,
        input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight),
      ]
    })
    expect(needPx).toBeLessThanOrEqual(havePx)
  })
})

describe('axe finds no violation in', () => {
  it.each(['desktop', 'phone'] as const)('the list, the preview and the confirmation, on a %s', async (size) => {
    await using opened = await open({ viewport: viewports[size] })
    const { page } = opened
    await rows(page).nth(1).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeViolations(page)).toEqual([])
    }
    await invoice(page).getByRole('button', { name: 'Your invoice {{number}}', exact: true }).click()
    await page.getByRole('dialog').locator('iframe').contentFrame().getByText('the sum is due').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await invoice(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})
