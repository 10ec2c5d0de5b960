import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, viewports } from '../support/browser.ts'
import { pathOf, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { hostileHtml } from '../support/hostile-html.ts'
import { sampleGlobal, sampleTemplate } from '../support/samples.ts'
import { setTemplateResponses, openTemplates, ownTemplates } from '../support/template-screens.ts'

const { browser, site } = await useDashboard()
beforeEach(() => setTemplateResponses(site))

const open = (options?: DashboardOptions) => openTemplates(browser, site, '/dashboard/globalTemplates', options)
const cards = (page: Page) => page.getByRole('list', { name: 'Global templates' }).getByRole('listitem')
const localCopies = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('templates-mine') ?? '[]') as Record<string, unknown>[])

/** Opens the designer with a copy of the welcome letter. */
async function editCopy(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit Welcome' }).click()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Welcome to {{company}}')
}

describe('the global templates screen', () => {
  it('GLOBAL-01 GLOBAL-10 GLOBAL-11 lists the company templates, read as documents of the collection templates', async () => {
    await using opened = await open()
    await expect.poll(() => cards(opened.page).count()).toBe(2)
    await expect.poll(() => cards(opened.page).first().innerText()).toContain('The first letter after signing up.')
    await expect.poll(() => site.received.map(({ path }) => path)).toContain('/collections/templates/documents')
  })

  it('renders each with its sample data', async () => {
    await using opened = await open()
    const frame = cards(opened.page).first().locator('iframe').contentFrame()
    await frame.getByRole('heading', { name: 'Hello, Imani', includeHidden: true }).waitFor()
  })

  it('GLOBAL-02 is searchable, and can be filtered by category', async () => {
    await using opened = await open()
    const { page } = opened
    await cards(page).nth(1).waitFor()
    await page.getByLabel('Search global templates').fill('everything must go')
    await expect.poll(() => cards(page).count()).toBe(1)
    await page.getByLabel('Search global templates').fill('')
    await page.getByRole('button', { name: 'Account' }).click()
    await expect.poll(() => cards(page).count()).toBe(1)
    await cards(page).filter({ hasText: 'Welcome' }).waitFor()
    await page.getByLabel('Search global templates').fill('nowhere')
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => cards(page).count()).toBe(2)
  })

  it('GLOBAL-03 a preview modal shows a company template', async () => {
    await using opened = await open()
    await opened.page.getByRole('button', { name: 'Welcome', exact: true }).click()
    const dialog = opened.page.getByRole('dialog', { name: 'Welcome' })
    await dialog.locator('iframe').contentFrame().getByRole('heading', { name: 'Hello, Imani' }).waitFor()
  })

  it("GLOBAL-04 GLOBAL-09 'Save Template' copies one into the user's own with its variables, and never changes the original", async () => {
    await using opened = await open()
    const { page } = opened
    await cards(page).first().getByRole('button', { name: 'Save Template' }).click()
    await page.getByText('Template saved to your own').waitFor()
    const [saved] = site.received.filter(({ method, path }) => method === 'POST' && path === '/email/template')
    expect(saved?.body).toEqual({
      name: 'Welcome',
      subject: 'Welcome to {{company}}',
      body: '<h1>Hello, {{name}}</h1>',
      context: ['company', 'name'],
    })
    await page.getByRole('link', { name: 'Templates', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'Welcome to {{company}}' }).waitFor()
    const touched = site.received.filter(({ method, path }) => method !== 'GET' && path.startsWith('/collections/'))
    expect(touched).toEqual([])
  })

  it('ERRORS-18 a failed save shows a toast', async () => {
    site.on('createEmailTemplate', { status: 503, json: { detail: 'The service is stopping.' } })
    await using opened = await open()
    await cards(opened.page).first().getByRole('button', { name: 'Save Template' }).click()
    await opened.page.getByRole('alert').filter({ hasText: 'Error occured saving template' }).waitFor()
  })

  it('GLOBAL-05 GLOBAL-06 TEMPLATES-17 editing one creates a local copy with a fresh id, under templates-mine', async () => {
    await using opened = await open()
    const { page } = opened
    await editCopy(page)
    const [copy, ...others] = await localCopies(page)
    expect(others).toEqual([])
    expect(copy).toMatchObject({ subject: 'Welcome to {{company}}', global_id: 'global-welcome' })
    expect(copy?.['id']).not.toBe('global-welcome')
    await page.goBack()
    await editCopy(page)
    const ids = (await localCopies(page)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect(site.received.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('GLOBAL-07 GLOBAL-08 editing one opens the designer with the copy, flagged as new from global', async () => {
    await using opened = await open()
    const { page } = opened
    await editCopy(page)
    await expect.poll(() => pathOf(page)).toBe('/dashboard/create')
    await page.getByText('New from global', { exact: true }).waitFor()
    await expect.poll(() => page.getByLabel('HTML body').inputValue()).toBe('<h1>Hello, {{name}}</h1>')
    await page.getByTitle('Preview of the template').contentFrame().getByText('Hello, Imani').waitFor()
  })

  it('LIMITS-13 stores the token and the copies under access_token and templates-mine, and nothing of a hosted user', async () => {
    await using opened = await open()
    await editCopy(opened.page)
    const keys = await opened.page.evaluate(() => Object.keys(localStorage))
    expect(keys.filter((key) => !key.startsWith('sendwright-')).sort()).toEqual(['access_token', 'templates-mine'])
  })

  it('a copy keeps its edits in the list until it is saved, and then is on the server only', async () => {
    await using opened = await open()
    const { page } = opened
    await editCopy(page)
    await page.getByLabel('Subject').fill('Welcome, all')
    await page.getByText('Saved in this browser', { exact: true }).waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Welcome, all')
    await page.getByRole('link', { name: 'Templates', exact: true }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Welcome, all' })
    await row.getByText('Copy of a global template, not saved yet').waitFor()
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/dashboard/templates')
    await row.getByText('new-1').waitFor()
    await expect.poll(() => localCopies(page)).toEqual([])
  })

  it('GLOBAL-12 an id may start with global-, or not', async () => {
    setTemplateResponses(site, ownTemplates, [
      sampleGlobal('c0ffee', { name: 'House letter', subject: 'x', body: '<p>x</p>' }),
    ])
    await using opened = await open()
    await cards(opened.page).filter({ hasText: 'House letter' }).waitFor()
  })

  it("ERRORS-19 a library that fails to load shows a toast and an error with 'Try Again'", async () => {
    site.on('listDocuments', { status: 503, json: { detail: 'The service is starting.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('heading', { name: 'Error occured loading templates' }).waitFor()
    await page.locator('.toast').getByText('Error occured loading templates').first().waitFor()
    setTemplateResponses(site)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.poll(() => cards(page).count()).toBe(2)
  })

  it('shows an empty state when the library is empty', async () => {
    setTemplateResponses(site, ownTemplates, [])
    await using opened = await open()
    await opened.page.getByRole('heading', { name: 'No global templates' }).waitFor()
  })

  it.each(['desktop', 'phone'] as const)('axe finds no violation in cards and preview, on a %s', async (size) => {
    await using opened = await open({ viewport: viewports[size] })
    const { page } = opened
    await cards(page).nth(1).waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewports[size].width)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeViolations(page)).toEqual([])
    }
    await page.getByRole('button', { name: 'Welcome', exact: true }).click()
    await page.getByRole('dialog').locator('iframe').contentFrame().getByText('Hello').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('H42 hostile templates', () => {
  const hostile = hostileHtml.map((text, at) => ({
    id: `${at}`,
    subject: text.slice(0, 900),
    body: `${text}<p style="position: fixed; inset: 0; z-index: 2147483647; background: red">mine</p>`,
    context: [text.slice(0, 150)],
  }))
  const documents = hostile.map(({ id, ...rest }) => sampleGlobal(`global-${id}`, { ...rest, name: rest.subject }))
  const requested: string[] = []
  const openHostile = async (path: string) => {
    requested.length = 0
    const templates = hostile.map((template) => sampleTemplate({ ...template, key: `key-${template.id}` }))
    setTemplateResponses(site, templates, documents)
    // The policy reports requests of discarded content.
    const opened = await openTemplates(browser, site, path, {
      allowFaults: /Failed to load resource|WebSocket connection|Content Security Policy|^Sendwright: .* failed \(/,
    })
    opened.page.on('request', (request) => {
      if (!request.url().startsWith(site.url) && !request.url().startsWith('data:')) requested.push(request.url())
    })
    opened.page.on('dialog', (dialog) => void dialog.dismiss())
    return opened
  }
  const expectHarmless = async (page: Page, path: string) => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    for (const frame of page.frames()) {
      // A card that scrolls out of view loses its frame.
      const isPwned = await frame.evaluate(() => '__pwned' in window).catch(() => !frame.isDetached())
      expect(isPwned).toBe(false)
    }
    expect(requested.filter((url) => !/^https:.*\.(png|gif)$/.test(url))).toEqual([])
    await expect.poll(() => pathOf(page)).toBe(path)
  }

  it('H42 H43 cause no harm in global cards and their preview, and stay inside them', async () => {
    await using opened = await openHostile('/dashboard/globalTemplates')
    const { page } = opened
    await cards(page).nth(43).waitFor()
    for (let at = 0; at < hostile.length; at += 6)
      await cards(page)
        .nth(at)
        .evaluate((card) => card.scrollIntoView({ block: 'center' }))
    await expect.poll(() => page.locator('.thumbnail iframe').count()).toBeGreaterThan(2)
    await expectHarmless(page, '/dashboard/globalTemplates')
    const heading = page.getByRole('heading', { name: 'Template Library' })
    await heading.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        heading.evaluate((element) => {
          const { left, top } = element.getBoundingClientRect()
          return document.elementFromPoint(left + 4, top + 8) === element
        }),
      )
      .toBe(true)
    await cards(page).nth(1).getByRole('heading').getByRole('button').click()
    await page.getByRole('dialog').locator('iframe').contentFrame().getByText('mine').waitFor()
    await expectHarmless(page, '/dashboard/globalTemplates')
  })

  it('H42 cause no harm in rows, previews, the delete dialog and its toast', async () => {
    await using opened = await openHostile('/dashboard/templates')
    const { page } = opened
    const row = page.getByRole('listitem').nth(1)
    await row.locator('.row-subject').click()
    await page.getByRole('dialog').locator('iframe').contentFrame().getByText('mine').waitFor()
    await expectHarmless(page, '/dashboard/templates')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    site.on('deleteEmailTemplate', { status: 503, json: { detail: hostile[1]?.subject ?? '' } })
    await row.getByRole('button', { name: /^Delete/ }).click()
    await page
      .getByRole('dialog')
      .getByText(hostile[1]?.subject ?? '')
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.locator('.toast').getByText('The template could not be deleted').waitFor()
    await expectHarmless(page, '/dashboard/templates')
  })

  it('H42 H44 cause no harm in the designer', async () => {
    await using opened = await openHostile('/dashboard/create')
    const { page } = opened
    const frame = page.getByTitle('Preview of the template')
    for (const { body } of hostile) await page.getByLabel('HTML body').fill(body)
    await page
      .getByLabel('HTML body')
      .fill(
        `</iframe></textarea><a href="https://evil.example/" target="_top">go</a><meta http-equiv="refresh" content="0;url=https://evil.example/"><p>end</p>`,
      )
    await frame.contentFrame().getByText('end').waitFor()
    await frame.contentFrame().getByText('go').click()
    await expectHarmless(page, '/dashboard/create')
  })
})
