import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { boxOf, viewports } from '../support/browser.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { progressEvents } from '../support/progress-events.ts'
import { sampleConfig, sampleMessage } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const open = (options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path: '/dashboard/send_email', token: 'at_1', ...options })
const body = (page: Page) => page.getByLabel('Message body')
const mail = (page: Page) => page.getByRole('document', { name: 'Message' })
/** In the preview's head: with the mailboxes it becomes a line higher. */
const sender = (page: Page) => page.locator('.sheet-head').getByText('studio@northwind.example').first()
const emptyKept = { mailboxId: '', subject: '', messageBody: '', context: {}, recipients: [] }
const sent = () => site.received.filter((one) => one.path.startsWith('/email/send-mail/'))

describe('the compose screen', () => {
  it('SEND-01 has the form on the left and the preview on the right', async () => {
    await using opened = await open()
    const form = await boxOf(opened.page.getByRole('form', { name: 'Message' }))
    const preview = await boxOf(opened.page.getByRole('region', { name: 'Preview' }))
    expect(preview.x).toBeGreaterThanOrEqual(form.x + form.width)
    expect(Math.abs(preview.y - form.y)).toBeLessThan(4)
  })

  it('SEND-26 a live preview on the right follows each change of the message without a click', async () => {
    await using opened = await open()
    const { page } = opened
    const preview = page.getByRole('region', { name: 'Preview' })
    const form = await boxOf(page.getByRole('form', { name: 'Message' }))
    await expect.poll(async () => (await boxOf(preview)).x).toBeGreaterThanOrEqual(form.x + form.width)
    for (const words of ['First words', 'Other words']) {
      await body(page).fill(`<p>${words} of the message</p>`)
      await mail(page).getByText(`${words} of the message`).waitFor()
      await page.getByLabel('Subject').fill(`${words} in the subject`)
      await preview.getByText(`${words} in the subject`).waitFor()
    }
    await expect.poll(() => mail(page).getByText('First words').count()).toBe(0)
    await body(page).press('End')
    await body(page).pressSequentially('!?')
    await mail(page).getByText('!?').waitFor()
    const shown = await boxOf(mail(page))
    expect(shown.x).toBeGreaterThanOrEqual(form.x + form.width)
  })

  it('moves the preview under the form on a small screen, without scrolling sideways', async () => {
    await using opened = await open({ viewport: viewports.phone })
    const { page } = opened
    await body(page).fill(`<p>${'word '.repeat(80)}</p><table width="900"><tr><td>wide</td></tr></table>`)
    await mail(page).waitFor()
    const form = await boxOf(page.getByRole('form', { name: 'Message' }))
    const preview = await boxOf(page.getByRole('region', { name: 'Preview' }))
    expect(preview.y).toBeGreaterThan(form.y + form.height)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})

describe('the preview', () => {
  it('SANITISE-01 shows the message live, sanitised and with its styles, without a console message', async () => {
    site.on('getDraft', {
      json: { revision: 1, content: emptyKept, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] },
    })
    await using opened = await open({ allowFaults: /never/ })
    const { page } = opened
    await body(page).fill(
      '<h2 style="color: green">Show</h2><script>alert(1)</script><img src=x onerror="alert(2)" alt="pic">',
    )
    await mail(page).getByRole('heading', { name: 'Show' }).waitFor()
    await expect.poll(() => mail(page).innerHTML()).toBe('<h2 style="color: green;">Show</h2><img alt="pic">')
    await body(page).fill('<p>other</p>')
    await mail(page).getByText('other').waitFor()
  })

  it('fills merge variables with the value that is sent, or the default', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject Line').fill('For {{first_name}}')
    await body(page).fill('<p>Dear {{first_name | default: "friend"}}, {{unknown}}!</p>')
    await mail(page).getByText('Dear friend, !').waitFor()
    await page.getByLabel('{{first_name}}').fill('<b>Ada</b>')
    await mail(page).getByText('Dear <b>Ada</b>, !').waitFor()
    await page.getByText('For <b>Ada</b>').waitFor()
    await page.getByLabel('From').selectOption({ index: 1 })
    await page.getByLabel('Recipients').fill('visitor-1@example.org')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByText('{{unknown}} for every recipient').waitFor()
    await page.getByRole('button', { name: 'Send to 1' }).click()
    await page.getByRole('alert').filter({ hasText: 'Email sent successfully!' }).waitFor()
    expect(sent()[0]?.body).toMatchObject({ context: { first_name: '<b>Ada</b>' } })
  })

  it('shows where a merge variable cannot be parsed', async () => {
    await using opened = await open()
    await body(opened.page).fill('<p>Dear {{first_name,</p>')
    await opened.page.getByText('Line 1, column 9: “{{” has no “}}” to close it.').waitFor()
  })

  it('shows the message at phone width and as plain text', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill(
      '<h1>Show</h1><p>Come <a href="https://a.example/">here</a>.</p><ul><li>one</li><li>two</li></ul>',
    )
    await page.getByRole('radio', { name: 'Phone' }).check()
    await expect.poll(async () => (await mail(page).boundingBox())?.width).toBeLessThanOrEqual(375)
    await page.getByRole('radio', { name: 'Plain text' }).check()
    await expect.poll(() => mail(page).textContent()).toBe('Show\n\nCome here [https://a.example/].\n\n- one\n\n- two')
  })

  it('H43 keeps a message that tries to cover the page inside its frame', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('<div style="position: fixed; inset: 0; z-index: 2147483647; background: red">all mine</div>')
    await mail(page).getByText('all mine').waitFor()
    const cover = await boxOf(mail(page).getByText('all mine'))
    const box = await boxOf(mail(page))
    expect(cover.width).toBeLessThanOrEqual(box.width)
    expect(cover.x).toBeGreaterThanOrEqual(box.x)
    await page.getByRole('radio', { name: 'Phone' }).check() // The rest of the page still receives clicks.
  })

  it('H44 <form action> and <a target=_top> do not navigate this window', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('<form action="https://evil.example/"><a href="/elsewhere" target="_top">go</a></form>')
    await mail(page).getByText('go').click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/send_email')
  })

  it('loads the sanitiser only once the body has content', async () => {
    await using opened = await open()
    const { page } = opened
    const parts = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter((one) => one.name.includes('writing-aids')).length,
      )
    await page.getByLabel('From').selectOption({ index: 1 })
    await page.getByLabel('Subject Line').fill('Doors')
    await expect.poll(() => parts()).toBe(0)
    await body(page).fill('D')
    await mail(page).waitFor()
    await expect.poll(() => parts()).toBe(1)
  })
})

describe('writing', () => {
  it('highlights tags and merge variables exactly over the text', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill(`<p>Dear {{first_name}}, ${'long words that wrap '.repeat(12)}</p>\n<p>end</p>`)
    const paint = page.locator('.body .paint')
    await paint.waitFor()
    const [under, over] = [await boxOf(paint), await boxOf(body(page))]
    expect([under.x, under.y, under.width]).toEqual([over.x, over.y, over.width])
    await expect.poll(() => page.locator('.body .paint .variable').textContent()).toBe('{{first_name}}')
    const heightDifference = () =>
      body(page).evaluate((area: HTMLTextAreaElement) => {
        const pre = area.parentElement?.querySelector('pre')
        return Math.abs(area.scrollHeight - (pre?.scrollHeight ?? 0))
      })
    await expect.poll(heightDifference).toBeLessThanOrEqual(22)
  })

  it('wraps the selection in a snippet, and undo removes it', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('Dear friend')
    await body(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(5, 11))
    await page.getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('Dear <b>friend</b>')
    await page.keyboard.press('Control+z')
    await expect.poll(() => body(page).inputValue()).toBe('Dear friend')
  })

  it('restores the draft after a reload and after navigation to another screen', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('From').selectOption({ index: 1 })
    await page.getByLabel('Subject Line').fill('Doors open')
    await page.getByLabel('Recipients').fill('visitor-1@example.org')
    await page.keyboard.press('Enter')
    await body(page).fill('<p>Dear friend</p>')
    await page.getByRole('link', { name: 'Email Config' }).click()
    await page.getByRole('link', { name: 'Send Email' }).click()
    await mail(page).getByText('Dear friend').waitFor()
    await page.reload()
    await mail(page).getByText('Dear friend').waitFor()
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Doors open')
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe('ck_4f9a7c1e5b2d8f60')
    await page.getByText('visitor-1@example.org').first().waitFor()
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain('ck_')
  })

  // Another page of the site, as Chromium ends the handlers of a closing page after 500 ms, which a busy machine exceeds.
  it('stores a long draft of a page that is left at once, and restores it at the next visit', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill(`<p>${'long '.repeat(30_000)}</p>`)
    await page.goto(`${site.url}/termspage`)
    expect(site.received.filter(({ method }) => method === 'PUT')).toEqual([])
    await page.goto(`${site.url}/dashboard/send_email`)
    await expect.poll(async () => (await body(page).inputValue()).length).toBe(150_007)
    await page.getByText('Draft saved').waitFor()
    await expect
      .poll(() => site.received.filter(({ method, text }) => method === 'PUT' && text.length > 150_000))
      .toHaveLength(1)
  })

  it('sends a short draft to the server although the page closes at once', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('From').waitFor()
    await expect.poll(() => site.received.some(({ path }) => path === '/drafts/compose')).toBe(true)
    await body(page).fill('<p>short</p>')
    await page.goto(`${site.url}/termspage`)
    await expect.poll(() => site.received.filter(({ method }) => method === 'PUT').length).toBe(1)
  })

  it('asks for confirmation before Back leaves a draft that cannot be stored', async () => {
    site.on('saveDraft', { status: 500, json: { detail: 'Broken.' } })
    await using opened = await openDashboard(browser, site, { path: '/dashboard/templates', token: 'at_1' })
    const { page } = opened
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new Error('full')
      }
    })
    await page.getByRole('link', { name: 'Send Email' }).click()
    await body(page).fill('<p>kept nowhere</p>')
    await page.getByText('Draft not saved').waitFor()
    const answers = ['dismiss', 'accept'] as const
    const requested: string[] = []
    page.on('dialog', (dialog) => {
      requested.push(dialog.message())
      void dialog[answers[requested.length - 1] ?? 'accept']()
    })
    await page.evaluate(() => history.back())
    await expect.poll(() => requested.length).toBe(1)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/send_email')
    await expect.poll(() => body(page).inputValue()).toBe('<p>kept nowhere</p>')
    await page.evaluate(() => history.back())
    await page.getByLabel('Search templates').waitFor()
    await expect.poll(() => requested).toEqual(Array(2).fill('What you wrote is not saved. Leave all the same?'))
  })

  it('is sent by the keyboard alone', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('From').waitFor()
    await page.getByRole('link', { name: 'Send Email' }).focus()
    const tabTo = async (label: string) => {
      const target = page.getByLabel(label)
      for (let at = 0; at < 20; at += 1) {
        await page.keyboard.press('Tab')
        if (await target.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element)) return
      }
      throw new Error(`Tab does not reach ${label}.`)
    }
    await tabTo('From') // The only mailbox is preselected.
    await tabTo('Recipients')
    await page.keyboard.type('visitor-1@example.org')
    await page.keyboard.press('Enter')
    await tabTo('Subject Line')
    await page.keyboard.type('Doors open')
    await tabTo('Message body')
    await page.keyboard.type('Dear friend')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'Email sent successfully!' }).waitFor()
    expect(sent()).toHaveLength(1)
    await page.getByText('Sent to 1 of 1').waitFor()
  })
})

describe('a person with one mailbox', () => {
  const from = (page: Page) => page.getByLabel('From', { exact: true })
  const send = async (page: Page) => {
    await page.getByLabel('Subject Line').fill('Doors open')
    await page.getByRole('textbox', { name: 'Recipients' }).fill('visitor-1@example.org')
    await page.keyboard.press('Enter')
    await body(page).fill('Dear friend')
    await mail(page).getByText('Dear friend').waitFor()
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('region', { name: 'Progress' }).waitFor()
  }

  it('TRIAL-74 TEXTMODE-27 sees it preselected in From in the dashboard, before and after a send', async () => {
    await using opened = await open()
    const { page } = opened
    const { secret_key: key } = sampleConfig()
    await expect.poll(() => from(page).inputValue()).toBe(key)
    await send(page)
    expect(sent().map(({ path }) => path)).toEqual([`/email/send-mail/${key}`])
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('')
    await expect.poll(() => from(page).inputValue()).toBe(key)
  })

  it('TRIAL-75 sees the panel of a finished send close; it links to its page and does not shift the preview', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('Dear friend')
    await mail(page).getByText('Dear friend').waitFor()
    await sender(page).waitFor()
    // In the page: a send may scroll it.
    const top = () => mail(page).evaluate((element) => element.getBoundingClientRect().top + scrollY)
    const before = await top()
    await send(page)
    const panel = page.getByRole('region', { name: 'Progress' })
    await panel.getByText('Sent to 1 of 1').waitFor()
    await expect
      .poll(() => panel.getByRole('link', { name: 'Open the message' }).getAttribute('href'))
      .toMatch(/^\/dashboard\/messages#./)
    await page.mouse.move(0, 0)
    await panel.waitFor({ state: 'detached' })
    await body(page).fill('The next one')
    await mail(page).getByText('The next one').waitFor()
    await expect.poll(top).toBe(before)
  })

  it('UNDO-15 After a send the panel becomes one line with the number sent and a link, does not move the preview, and is gone after the next edit or a reload', async () => {
    site.on('watchMessage', progressEvents(sampleMessage({ 'visitor-1@example.org': 'sending' })))
    await using opened = await open()
    const { page } = opened
    const top = () => mail(page).evaluate((element) => element.getBoundingClientRect().top + scrollY)
    const panel = page.getByRole('region', { name: 'Progress' })
    const line = async () => {
      await panel.getByText('Sent to 1 of 1').waitFor()
      await expect.poll(async () => (await boxOf(panel)).height).toBeLessThan(60)
      await expect.poll(() => panel.getByRole('list').count()).toBe(0)
      await expect.poll(() => panel.getByRole('link', { name: 'Open the message' }).getAttribute('href')).toMatch(/#./)
      // The pointer on it keeps it.
      await panel.hover()
    }
    await body(page).fill('Dear friend')
    await mail(page).getByText('Dear friend').waitFor()
    await sender(page).waitFor()
    const before = await top()
    await send(page)
    await panel.getByRole('list', { name: 'Recipients' }).getByText('visitor-1@example.org').waitFor()
    site.on('watchMessage', progressEvents(sampleMessage({ 'visitor-1@example.org': 'sent' })))
    await line()
    await body(page).fill('D')
    await panel.waitFor({ state: 'detached' })
    await mail(page).getByText('D', { exact: true }).waitFor()
    expect(await top()).toBe(before)

    await send(page)
    await line()
    const kept = () =>
      site.received.filter(({ method, path }) => method !== 'GET' && path.startsWith('/drafts/')).at(-1)?.body
    await expect.poll(() => JSON.stringify(kept() ?? '')).not.toContain('msg_1')
    await page.reload()
    await expect.poll(() => body(page).inputValue()).toBe('')
    await page.getByRole('radio', { name: 'HTML' }).waitFor()
    await expect.poll(() => panel.count()).toBe(0)
  })
})
