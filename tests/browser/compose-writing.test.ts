import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations, boxOf, viewports } from '../support/browser.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleTemplate } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('getEmailTemplates', { json: [sampleTemplate()], headers: { 'X-Total-Count': '1' } })
  site.on('listDocuments', { json: [] })
})

const open = (options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path: '/dashboard/send_email', token: 'at_1', ...options })
const body = (page: Page) => page.getByLabel('Message body')
const mail = (page: Page) => page.getByRole('document', { name: 'Message' })
const csv = 'first_name,email,city\nAda,a@example.com,London\nBo,b@example.com,Paris'

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel('Recipients', { exact: true }).evaluate((input, pasted) => {
    const data = new DataTransfer()
    data.setData('text', pasted)
    input.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true, composed: true }),
    )
  }, text)
}

describe('merge variables', () => {
  it('TRIAL-39 keep the fields responsive with 128 kB of unparsable input: the next character appears, a click moves the focus', async () => {
    await using opened = await open()
    const { page } = opened
    await page.evaluate(() => {
      const noted: number[] = []
      ;(window as unknown as { noted: number[] }).noted = noted
      new PerformanceObserver((list) => noted.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      })
    })
    const subject = page.getByLabel('Subject Line')
    /** The longest main-thread block in ms while the page handles a body, a character and a click. */
    const longestTask = async (text: string): Promise<number> => {
      await page.evaluate(() => ((window as unknown as { noted: number[] }).noted.length = 0))
      await body(page).fill(text)
      await body(page).press('Control+End')
      await page.keyboard.type('x')
      await expect.poll(() => body(page).inputValue()).toBe(`${text}x`)
      await subject.click()
      await expect.poll(() => subject.evaluate((field: Element) => field.matches(':focus'))).toBe(true)
      await page.keyboard.type('s')
      await expect.poll(() => subject.inputValue()).toMatch(/s$/)
      // Typed text is highlighted a moment later; include that in the measurement.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)))
      return page.evaluate(() => Math.max(0, ...(window as unknown as { noted: number[] }).noted))
    }
    const chars = 128 * 1024
    const plainMs = await longestTask('plain text '.repeat(chars / 11))
    const bracesMs = await longestTask('{{a}} {{'.repeat(chars / 8))
    // Linear in the length of the text on this machine, not quadratic; other work of the machine makes a task longer.
    expect(bracesMs).toBeLessThan(4 * plainMs + 1000)
  })

  it('are autocompleted after {{ with the keyboard alone, and undo removes them', async () => {
    await using opened = await open()
    const { page } = opened
    await paste(page, csv)
    await body(page).pressSequentially('Dear {{ci')
    const list = page.getByRole('listbox', { name: 'Merge variables' })
    await list.waitFor()
    await expect.poll(() => list.getByRole('option').allTextContents()).toEqual(['city'])
    const [caret, box] = [await boxOf(list), await boxOf(body(page))]
    expect(caret.x - box.x).toBeGreaterThan(60)
    expect(caret.y - box.y).toBeLessThan(80)
    await page.keyboard.press('Enter')
    await expect.poll(() => body(page).inputValue()).toBe('Dear {{city}}')
    await expect.poll(() => list.count()).toBe(0)
    await page.keyboard.press('Control+z')
    await expect.poll(() => body(page).inputValue()).toBe('Dear {{ci')
  })

  it('TRIAL-78 are listed by the {{ }} button, and a snippet button pressed inside braces inserts after them', async () => {
    await using opened = await open()
    const { page } = opened
    await paste(page, csv)
    await body(page).pressSequentially('Dear ')
    await page.getByRole('button', { name: 'Merge variable', exact: true }).click()
    const list = page.getByRole('listbox', { name: 'Merge variables' })
    await list.waitFor()
    await expect
      .poll(async () => (await list.getByRole('option').allTextContents()).slice(0, 2))
      .toEqual(['first_name', 'city'])
    await list.getByRole('option', { name: 'city' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('Dear {{city}}')
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft')
    await page.getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('Dear {{city}}<b>text</b>')
    await body(page).fill('')
    await page.getByRole('button', { name: 'Merge variable', exact: true }).click()
    await list.waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => body(page).inputValue()).toBe('{{first_name}}')
  })

  it('are selected with the arrow keys, and Esc keeps the typed text', async () => {
    await using opened = await open()
    const { page } = opened
    await paste(page, csv)
    await body(page).fill('x')
    await mail(page).waitFor()
    await page.getByLabel('Subject Line').pressSequentially('For {{')
    const options = page.getByRole('listbox', { name: 'Merge variables' }).getByRole('option')
    await options.first().waitFor()
    expect((await options.allTextContents()).slice(0, 2)).toEqual(['first_name', 'city'])
    await page.keyboard.press('ArrowDown')
    const subject = page.getByLabel('Subject Line')
    await page.getByRole('option', { selected: true }).getByText('city').waitFor()
    const active = await subject.getAttribute('aria-activedescendant')
    await expect.poll(() => page.locator(`[id="${active ?? ''}"]`).textContent()).toBe('city')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => options.count()).toBe(0)
    await page.keyboard.type('f')
    await options.first().waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => subject.inputValue()).toBe('For {{first_name}}')
  })

  it('accept a key at the moment the list opens', async () => {
    await using opened = await open()
    const { page } = opened
    await paste(page, csv)
    const subject = page.getByLabel('Subject Line')
    await subject.evaluate((box) => {
      const root = box.getRootNode() as Document | ShadowRoot
      new MutationObserver((_records, observer) => {
        if (root.querySelector('[role=listbox]') === null) return
        observer.disconnect()
        box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
      }).observe(root, { subtree: true, childList: true })
    })
    await subject.pressSequentially('For {{')
    await page.getByRole('option', { selected: true }).getByText('city').waitFor()
  })

  it('respond to keys that arrive faster than the list renders', async () => {
    await using opened = await open()
    const { page } = opened
    await paste(page, csv)
    const subject = page.getByLabel('Subject Line')
    await subject.pressSequentially('{{')
    await page.getByRole('listbox', { name: 'Merge variables' }).waitFor()
    // All in one task: nothing is drawn between them.
    await subject.evaluate((field) => {
      const box = field as HTMLInputElement
      const key = (name: string) =>
        box.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
      key('ArrowDown')
      key('ArrowDown')
      key('ArrowUp')
      key('Enter')
      box.setRangeText('{{c', box.value.length, box.value.length, 'end')
      box.dispatchEvent(new InputEvent('input', { bubbles: true }))
      key('Enter')
    })
    await expect.poll(() => subject.inputValue()).toBe('{{city}}{{city}}')
  })

  it('are rendered per recipient from the columns of the pasted list', async () => {
    await using opened = await open()
    const { page } = opened
    await paste(page, csv)
    await body(page).fill('<p>Dear {{first_name}} in {{city}}</p>')
    await mail(page).getByText('Dear Ada in London').waitFor()
    await page.getByRole('button', { name: 'Preview the next recipient' }).click()
    await mail(page).getByText('Dear Bo in Paris').waitFor()
    await page.getByLabel('Preview as').fill('a@example.com')
    await mail(page).getByText('Dear Ada in London').waitFor()
  })
})

it('the sticky bar hides only whole lines of a long recipient list on a phone', async () => {
  await using opened = await open({ viewport: viewports.phone })
  const { page } = opened
  await paste(page, Array.from({ length: 60 }, (_row, at) => `visitor-${at}@example.org`).join('\n'))
  await page.getByText('and 55 more').waitFor({ state: 'attached' })
  const [entry, chips] = await page
    .getByLabel('Recipients', { exact: true })
    .evaluate((input) => [input.parentElement!.clientWidth, input.parentElement!.parentElement!.clientWidth])
  expect(entry).toBe(chips)
})

describe('an incomplete merge variable', () => {
  it('leaves preview and fields unchanged, and is shown literally', async () => {
    await using opened = await open()
    const { page } = opened
    await body(page).fill('<p>Dear {{first_name}}</p>\n')
    await page.locator('label', { hasText: 'first_name' }).locator('input').fill('Ada')
    await mail(page).getByText('Dear Ada').waitFor()
    const places = async () => [
      await mail(page).boundingBox(),
      await mail(page).getByText('Dear Ada').boundingBox(),
      await page.locator('label', { hasText: 'first_name' }).boundingBox(),
    ]
    const before = await places()
    await body(page).press('Control+End')
    for (const key of '{{ci') {
      await page.keyboard.type(key)
      await expect.poll(() => places(), { message: key }).toEqual(before)
    }
    await mail(page).getByText('{{ci').waitFor()
    await page.getByText('“{{” has no “}}” to close it').waitFor()
    await expect.poll(() => places()).toEqual(before)
  })
})

describe('templates', () => {
  it('SEND-32 a click on a card of the picker fills subject and body', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Choose Template' }).click()
    await page.getByRole('dialog', { name: 'Choose Template' }).waitFor()
    await page
      .getByRole('button', { name: /Doors open Thursday/ })
      .first()
      .click()
    await expect.poll(() => body(page).inputValue()).toBe('<p>Dear {{first_name}}, we kept two places for you.</p>')
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Doors open Thursday, {{first_name}}')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('SEND-12 SEND-34 Create Template opens with the current subject and body', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Subject Line').fill('Doors open')
    await page.getByRole('button', { name: 'Create Template' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByLabel('Subject').inputValue()).toBe('Doors open')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Doors open')
  })
})

describe('a hostile message', () => {
  it('H42 runs no script and requests only pictures over https', async () => {
    await using opened = await open({ allowFaults: /Failed to load resource|ERR_|Content Security Policy/ })
    const { page } = opened
    await body(page).fill('<p>first</p>')
    await mail(page).getByText('first').waitFor()
    const requested: string[] = []
    await page.route(/evil\.example/, (route) => {
      requested.push(route.request().url())
      return route.abort()
    })
    const hostile = [
      '<script>window.__pwned=1</script>',
      '<img src=x onerror="window.__pwned=1">',
      '<svg onload="window.__pwned=1"><script>window.__pwned=1</script></svg>',
      '<math><mtext><table><mglyph><style><img src=x onerror="window.__pwned=1"></style></mglyph></table></mtext></math>',
      '<a href="javascript:window.__pwned=1">x</a><iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
      '<details open ontoggle="window.__pwned=1">x</details><object data="https://evil.example/o"></object>',
      '<style>@import "https://evil.example/i.css"</style><link rel="stylesheet" href="https://evil.example/l.css">',
      '<div style="background:url(https://evil.example/b.png);--x:url(https://evil.example/v.png)">x</div>',
      '<img src="http://evil.example/plain.png"><video poster="https://evil.example/p.png" src="https://evil.example/v"></video>',
      '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
      '</textarea><form action="https://evil.example/"><input autofocus onfocus="window.__pwned=1"></form>',
      '<img src="https://evil.example/allowed.png">',
    ]
    await body(page).fill(`${hostile.join('\n')}<p>last</p>`)
    await mail(page).getByText('last').waitFor()
    await expect.poll(() => requested.some((url) => url.endsWith('allowed.png'))).toBe(true)
    expect(await page.evaluate(() => (window as { __pwned?: number }).__pwned)).toBeUndefined()
    expect(requested.filter((url) => !url.endsWith('allowed.png'))).toEqual([])
    await expect.poll(() => mail(page).locator('img[src^="http:"]').count()).toBe(0)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard/send_email')
  })
})

describe('the compose screen', () => {
  it('has no axe violation with a long list, variables and an undo, wide and narrow', async () => {
    for (const viewport of [viewports.desktop, viewports.phone]) {
      await using opened = await open({ viewport })
      const { page } = opened
      const many = Array.from({ length: 2000 }, (_, at) => `Visitor ${at} <v${at}@example.org>`)
      await paste(page, [...many, 'front desk'].join('\n'))
      await body(page).fill('<p>Dear {{first_name}} {{city}}</p>')
      await page.getByText('2,000 added, 1 not understood').waitFor()
      await page.getByRole('button', { name: 'Show all' }).click()
      await mail(page).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    }
  })
})
