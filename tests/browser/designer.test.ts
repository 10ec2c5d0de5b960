import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, boxOf, viewports } from '../support/browser.ts'
import { pathOf, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { setTemplateResponses, openTemplates } from '../support/template-screens.ts'

const { browser, site } = await useDashboard()
beforeEach(() => setTemplateResponses(site))

const open = (options?: DashboardOptions) => openTemplates(browser, site, '/dashboard/create', options)
const body = (page: Page) => page.getByLabel('HTML body')
const preview = (page: Page) => page.getByTitle('Preview of the template')
const tags = (page: Page) => page.getByRole('button', { name: /^Remove / })
const saves = (method: 'POST' | 'PATCH') =>
  site.received.filter((one) => one.method === method && one.path.startsWith('/email/template'))

/** Opens the designer with the invoice. */
async function edit(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('button', { name: 'Edit Your invoice {{number}}' }).click()
  await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Your invoice {{number}}')
}

async function fill(page: Page): Promise<void> {
  await page.getByLabel('Subject').fill('Hello {{name}}')
  await body(page).fill('<p>Dear {{name}}</p>')
  await page.getByLabel('Context tags').fill('name')
  await page.keyboard.press('Enter')
}

describe('the designer', () => {
  it('DESIGNER-01 opened without a template in navigation state creates one', async () => {
    await using opened = await open()
    await fill(opened.page)
    await opened.page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => saves('POST').length).toBe(1)
    expect(saves('POST')[0]?.body).toEqual({
      subject: 'Hello {{name}}',
      body: '<p>Dear {{name}}</p>',
      context: ['name'],
    })
  })

  it('TRIAL-81 the preview fills the default of a variable as the composer does, and shows no {{', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject').fill('Hello {{name | default: "you"}} {{city}}')
    await body(page).fill('<p>Dear {{name | default: "friend"}}, see you{{ where }} soon</p>')
    const frame = preview(page).contentFrame()
    await frame.getByText('Dear friend, see you soon').waitFor()
    const region = page.getByRole('region', { name: 'Preview' })
    await region.getByText('Hello you').waitFor()
    await expect.poll(() => region.innerText()).not.toContain('{{')
    await expect.poll(() => frame.locator('body').innerText()).not.toContain('{{')
  })

  it('a save publishes a template or makes it private again', async () => {
    await using opened = await open()
    const { page } = opened
    await edit(page)
    const isPublic = page.getByRole('checkbox', { name: /^Public/ })
    await expect.poll(() => isPublic.isChecked()).toBe(false)
    for (const wanted of [true, false]) {
      await isPublic.setChecked(wanted)
      await page.getByRole('button', { name: 'Update' }).click()
      await expect.poll(() => saves('PATCH').at(-1)?.body).toMatchObject({ is_public: wanted })
      await page.getByText('Saved!').first().waitFor()
    }
  })

  it('DESIGNER-02 opened with a template with an id in navigation state edits that template', async () => {
    await using opened = await open()
    const { page } = opened
    await edit(page)
    await page.getByLabel('Subject').fill('Your invoice')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect.poll(() => saves('PATCH').length).toBe(1)
    expect(saves('PATCH')[0]).toMatchObject({ path: '/email/template/tpl_3', body: { subject: 'Your invoice' } })
  })

  it('DESIGNER-02 a reload keeps that template open', async () => {
    await using opened = await open()
    await edit(opened.page)
    await opened.page.reload()
    await expect.poll(() => opened.page.getByLabel('Subject').inputValue()).toBe('Your invoice {{number}}')
  })

  it('DESIGNER-03 DESIGNER-04 DESIGNER-08 has fields for subject, context tags and HTML body', async () => {
    await using opened = await open()
    await opened.page.getByLabel('Subject').waitFor()
    await opened.page.getByLabel('Context tags').waitFor()
    expect(await body(opened.page).evaluate((element) => element.tagName)).toBe('TEXTAREA')
  })

  it('LIMITS-11 the body has 20 rows', async () => {
    await using opened = await open()
    await expect.poll(() => body(opened.page).getAttribute('rows')).toBe('20')
  })

  it('DESIGNER-05 Enter adds a tag without a save', async () => {
    await using opened = await open()
    await opened.page.getByLabel('Context tags').fill('place')
    await opened.page.keyboard.press('Enter')
    await opened.page.getByRole('button', { name: 'Remove place' }).waitFor()
    await expect.poll(() => opened.page.getByLabel('Context tags').inputValue()).toBe('')
    await expect.poll(() => opened.page.getByText('Please enter a subject').count()).toBe(0)
  })

  it('DESIGNER-06 DESIGNER-07 tags are trimmed and deduplicated', async () => {
    await using opened = await open()
    for (const tag of ['  place ', 'place', 'name', ' ']) {
      await opened.page.getByLabel('Context tags').fill(tag)
      await opened.page.keyboard.press('Enter')
    }
    await expect
      .poll(() => tags(opened.page).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))))
      .toEqual(['Remove place', 'Remove name'])
  })

  it('DESIGNER-09 DESIGNER-10 shows the body live, in a sandboxed frame', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('<h1 style="color: rgb(0, 90, 0)">First</h1>')
    await preview(page).contentFrame().getByRole('heading', { name: 'First' }).waitFor()
    await body(page).fill('<p>Second</p>')
    await preview(page).contentFrame().getByText('Second').waitFor()
    await expect.poll(() => preview(page).getAttribute('sandbox')).toBe('allow-same-origin')
  })

  it('LIMITS-12 the preview frame is 500 px high', async () => {
    await using opened = await open()
    await expect.poll(async () => (await preview(opened.page).boundingBox())?.height).toBeCloseTo(500, 1)
  })

  it.each([viewports.desktop, { width: 1440, height: 900 }, { width: 1120, height: 700 }])(
    'the desktop preview is rendered at 640 px or more and scaled down to fit, at $width',
    async (viewport) => {
      await using opened = await open({ viewport })
      const { page } = opened
      await body(page).fill('<table width="600" style="width: 600px"><tr><td>Wide</td></tr></table>')
      const mail = preview(page).contentFrame()
      await mail.getByText('Wide').waitFor()
      const widths = () => mail.locator('html').evaluate((root) => [root.clientWidth, root.scrollWidth])
      await expect.poll(async () => (await widths())[0]).toBeGreaterThanOrEqual(640)
      await expect.poll(async () => new Set(await widths()).size).toBe(1)
      const panel = await boxOf(page.locator('.design-mail'))
      const frameEnd = async () => {
        const { x, width } = await boxOf(preview(page))
        return x + width
      }
      await expect.poll(frameEnd).toBeLessThanOrEqual(panel.x + panel.width)
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    },
  )

  it('an incomplete merge variable does not shift the layout or remove another one from the list', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('<p>Dear {{name}}</p>\n')
    const tag = page.getByRole('button', { name: 'Add the tag name' })
    await tag.waitFor()
    const places = async () => [await tag.boundingBox(), await preview(page).boundingBox()]
    const before = await places()
    await body(page).press('Control+End')
    for (const key of '{{fi') {
      await page.keyboard.type(key)
      await expect.poll(() => places(), { message: key }).toEqual(before)
    }
    await preview(page).contentFrame().getByText('{{fi').waitFor()
  })

  it("DESIGNER-11 has a 'Copy HTML' button", async () => {
    await using opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await body(opened.page).fill('<p>copied</p>')
    await opened.page.getByRole('button', { name: 'Copy HTML' }).click()
    await opened.page.getByRole('button', { name: 'Copied HTML' }).waitFor()
    expect(await opened.page.evaluate(() => navigator.clipboard.readText())).toBe('<p>copied</p>')
  })

  it('ERRORS-17 a failed copy shows a toast', async () => {
    await using opened = await open()
    await opened.page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    })
    await opened.page.getByRole('button', { name: 'Copy HTML' }).click()
    await opened.page.getByRole('alert').filter({ hasText: 'Failed to copy template content' }).waitFor()
  })

  it("DESIGNER-12 DESIGNER-13 has 'Save' when creating and 'Update' when editing", async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Update' }).count()).toBe(0)
    await edit(page)
    await page.getByRole('button', { name: 'Update' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  })

  it('DESIGNER-14 DESIGNER-15 a missing subject and a missing body show errors, and the first gets the focus', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Please enter a subject').waitFor()
    await page.getByText('Please enter a template body').waitFor()
    await expect
      .poll(() => page.getByLabel('Subject').evaluate((element) => element === document.activeElement))
      .toBe(true)
    await page.keyboard.type('Hello')
    await page.getByText('Please enter a subject').waitFor({ state: 'detached' })
    expect(saves('POST')).toEqual([])
  })

  it.each([
    [
      "DESIGNER-16 while a new template is being saved the state reads 'Creating...'",
      'createEmailTemplate',
      'Creating...',
    ],
    [
      "DESIGNER-17 while an edited template is being saved the state reads 'Updating...'",
      'updateEmailTemplate',
      'Updating...',
    ],
  ])('%s', async (_row, operation, text) => {
    const answer = Promise.withResolvers<undefined>()
    site.on(operation, async () => {
      await answer.promise
      return { status: 503, json: { detail: 'Stopped.' } }
    })
    await using opened = await open()
    const { page } = opened
    if (operation === 'updateEmailTemplate') await edit(page)
    await fill(page)
    await page.getByRole('button', { name: /^(Save|Update)$/ }).click()
    await page.getByRole('button', { name: text, disabled: true }).waitFor()
    answer.resolve(undefined)
    await page.getByRole('button', { name: /^(Save|Update)$/ }).waitFor()
  })

  it.each([
    ['DESIGNER-18 DESIGNER-19 the subject', (page: Page) => page.getByLabel('Subject').fill('Other')],
    ['DESIGNER-18 DESIGNER-20 the body', (page: Page) => body(page).fill('<p>Other</p>')],
    ['DESIGNER-18 DESIGNER-21 the tags', (page: Page) => tags(page).first().click()],
  ])("%s: after a save the state shows 'Saved!', which resets on the next change", async (_row, change) => {
    await using opened = await open()
    const { page } = opened
    await edit(page)
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByRole('button', { name: 'Saved!' }).waitFor()
    await change(page)
    await page.getByRole('button', { name: 'Update' }).waitFor()
  })

  it("DESIGNER-18 DESIGNER-22 a newly created template shows 'Saved!' and redirects to /dashboard/templates", async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Saved!' }).waitFor()
    await page.waitForURL('**/dashboard/templates')
    await page.getByRole('listitem').filter({ hasText: 'Hello {{name}}' }).waitFor()
  })

  it('input after a create is kept and continues as an edit of the new template', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Saved!' }).waitFor()
    await page.getByLabel('Subject').fill('Hello again')
    // Saved later than the redirect would have come.
    await page.getByText('Saved as a draft').waitFor()
    await expect.poll(() => pathOf(page)).toBe('/dashboard/create')
    await page.getByRole('button', { name: 'Update' }).click()
    await expect.poll(() => saves('PATCH').length).toBe(1)
    expect(saves('PATCH')[0]?.path).toBe('/email/template/tpl_new')
  })

  it.each([
    ['ERRORS-15 creating', 'createEmailTemplate', 'Error occurred creating template'],
    ['ERRORS-16 updating', 'updateEmailTemplate', 'Error occurred updating template'],
  ])('a failed %s shows a toast; the input is kept and can be submitted again', async (_row, operation, text) => {
    site.on(operation, { status: 503, json: { detail: 'The service is stopping.' } })
    await using opened = await open()
    const { page } = opened
    if (operation === 'updateEmailTemplate') await edit(page)
    await fill(page)
    await page.getByRole('button', { name: /^(Save|Update)$/ }).click()
    await page.locator('.toast').getByText(text).waitFor()
    await page.getByText('The service is stopping.').waitFor()
    await expect.poll(() => body(page).inputValue()).toBe('<p>Dear {{name}}</p>')
    setTemplateResponses(site)
    await page.getByRole('button', { name: /^(Save|Update)$/ }).click()
    await page.getByRole('button', { name: 'Saved!' }).waitFor()
  })

  it('lists the used variables without a tag and the unused tags; one click fixes each', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('<p>Dear {{name}}</p>')
    await page.getByLabel('Context tags').fill('place')
    await page.keyboard.press('Enter')
    const variables = page.getByRole('region', { name: 'Merge variables' })
    await variables.getByRole('button', { name: 'Add the tag name' }).click()
    await page.getByRole('button', { name: 'Remove name' }).waitFor()
    await variables.getByRole('button', { name: 'Insert {{place}} into the body' }).click()
    await variables.getByText('Every merge variable has a tag.').waitFor()
    await expect.poll(() => body(page).inputValue()).toContain('{{place}}')
  })

  it('shows where a merge variable cannot be parsed', async () => {
    await using opened = await open()
    await body(opened.page).fill('<p>Dear {{name</p>')
    await opened.page.getByText('In the body. Line 1, column 9').waitFor()
  })

  it('wraps the selection in a snippet', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('one')
    await body(page).selectText()
    await page.getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('<b>one</b>')
  })
})

describe('unsaved input', () => {
  it('is stored on the server as a draft and restored after a reload', async () => {
    const drafts = new Map<string, unknown>()
    site.on('saveDraft', ({ params, body: change }) => {
      drafts.set(params['kind'] ?? '', (change as { content: unknown }).content)
      return { json: { revision: 1, updated_at: '2025-09-02T09:30:00.000Z', replaced: null } }
    })
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByText('Saved as a draft').waitFor()
    // A pause between two fields lets the first one be saved earlier.
    await expect
      .poll(() => drafts.get('designer:new'))
      .toEqual({
        name: '',
        subject: 'Hello {{name}}',
        body: '<p>Dear {{name}}</p>',
        tags: ['name'],
      })
    site.on('getDraft', {
      json: { revision: 1, content: drafts.get('designer:new'), updated_at: '2025-09-02T09:30:00.000Z', replaced: [] },
    })
    await page.reload()
    await page.getByText('Your unsaved changes were restored').waitFor()
    await expect.poll(() => body(page).inputValue()).toBe('<p>Dear {{name}}</p>')
    await page.getByRole('button', { name: 'Discard them' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('')
    await expect
      .poll(() => site.received.some(({ method, path }) => method === 'DELETE' && path === '/drafts/designer%3Anew'))
      .toBe(true)
  })

  it('is not replaced by a draft of the server that arrives late, which is offered', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const content = { name: '', subject: 'Written before', body: '', tags: [] }
    site.on('getDraft', async () => {
      await promise
      return { json: { revision: 3, content, updated_at: '2025-09-02T09:30:00.000Z', replaced: [] } }
    })
    site.on('saveDraft', { json: { revision: 4, updated_at: '2025-09-02T09:31:00.000Z', replaced: null } })
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject').fill('Typed just now')
    resolve(undefined)
    await page.getByText('saved elsewhere at').waitFor()
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Typed just now')
  })

  it('triggers a warning only before a dirty designer is left', async () => {
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByRole('link', { name: 'Email Config' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => pathOf(page)).toBe('/dashboard/create')
    await page.getByRole('link', { name: 'Email Config' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Email Config', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Send Email' }).click()
    await page.waitForURL('**/dashboard/send_email')
  })

  it('triggers a confirmation before Back, and Back proceeds after it', async () => {
    await using opened = await openTemplates(browser, site, '/dashboard/templates')
    const { page } = opened
    await page.getByRole('link', { name: 'New Template' }).first().click()
    await fill(page)
    await page.goBack()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect
      .poll(async () => [pathOf(page), await body(page).inputValue()])
      .toEqual(['/dashboard/create', '<p>Dear {{name}}</p>'])
    await page.goBack()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/dashboard/templates')
    await page.getByLabel('Search templates').waitFor()
    await page.goForward()
    await page.getByText('Your unsaved changes were restored').waitFor()
  })

  it.each(['with', 'without'])('triggers a confirmation before Forward, %s the Navigation API', async (how) => {
    await using opened = await openTemplates(browser, site, '/dashboard/templates')
    const { page } = opened
    if (how === 'without') {
      await page.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }))
      await page.reload()
    }
    await page.getByRole('link', { name: 'New Template' }).first().click()
    await page.getByLabel('Subject').waitFor()
    await page.getByRole('link', { name: 'Send Email' }).click()
    await page.waitForURL('**/dashboard/send_email')
    await page.goBack()
    await fill(page)
    await page.goForward()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect
      .poll(async () => [pathOf(page), await body(page).inputValue()])
      .toEqual(['/dashboard/create', '<p>Dear {{name}}</p>'])
    await page.goForward()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/dashboard/send_email')
    await page.goBack()
    await page.getByText('Your unsaved changes were restored').waitFor()
    await page.goBack()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/dashboard/templates')
  })

  it('triggers no confirmation before Back when the form is unchanged', async () => {
    await using opened = await openTemplates(browser, site, '/dashboard/templates')
    const { page } = opened
    await page.getByRole('link', { name: 'New Template' }).first().click()
    await page.getByLabel('Subject').waitFor()
    await page.goBack()
    await page.getByLabel('Search templates').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  // Another page of the site, as Chromium ends the handlers of a closing page after 500 ms, which a busy machine exceeds.
  it('is restored after the page was left at once, at any length', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject').fill('Long')
    await body(page).fill(`<p>${'long '.repeat(30_000)}</p>`)
    await page.goto(`${site.url}/termspage`)
    await page.goto(`${site.url}/dashboard/create`)
    await page.getByText('Your unsaved changes were restored').waitFor()
    await expect.poll(async () => (await body(page).inputValue()).length).toBe(150_007)
    await expect
      .poll(() => site.received.filter(({ method, text }) => method === 'PUT' && text.length > 150_000).length)
      .toBeGreaterThan(0)
  })

  it('is offered beside the version of another window', async () => {
    const elsewhere = { subject: 'Elsewhere', body: '<p>Elsewhere</p>', tags: [] }
    site.on('saveDraft', {
      json: {
        revision: 8,
        updated_at: '2025-09-02T09:30:00.000Z',
        replaced: { revision: 7, content: elsewhere, updated_at: '2025-09-02T09:29:00.000Z' },
      },
    })
    await using opened = await open()
    const { page } = opened
    await fill(page)
    await page.getByText('Another version of this draft, saved elsewhere at').waitFor()
    await page.getByRole('button', { name: 'Show it' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('<p>Elsewhere</p>')
    await page.getByText('Another version of this draft, replaced a moment ago').waitFor()
    await page.getByRole('button', { name: 'Show it' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('<p>Dear {{name}}</p>')
  })

  it('stays in this browser while the server stores no drafts, and the screen shows it', async () => {
    site.on('saveDraft', { status: 503, json: { detail: 'The service is stopping.' } })
    await using opened = await open()
    await fill(opened.page)
    await expect.poll(() => site.received.some(({ method }) => method === 'PUT')).toBe(true)
    await opened.page.getByText('Saved in this browser').waitFor()
    await expect.poll(() => body(opened.page).inputValue()).toBe('<p>Dear {{name}}</p>')
  })
})

describe('axe finds no violation in', () => {
  it.each(['desktop', 'phone'] as const)('the designer with all panels open, on a %s', async (size) => {
    site.on('createEmailTemplate', { status: 503, json: { detail: 'The service is stopping.' } })
    await using opened = await open({ viewport: viewports[size] })
    const { page } = opened
    await fill(page)
    await body(page).fill('<p>Dear {{who}}</p>')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The service is stopping.').waitFor()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewports[size].width)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeViolations(page)).toEqual([])
    }
  })

  it.each(['desktop', 'phone'] as const)('the confirmation before it is left, on a %s', async (size) => {
    await using opened = await open({ viewport: viewports[size] })
    const { page } = opened
    await fill(page)
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/dashboard/templates"]')?.click())
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeViolations(page)).toEqual([])
    }
  })
})
