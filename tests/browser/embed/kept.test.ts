import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { pageWith } from '../../support/embed-site.ts'

const bench = embedBench()
const composer = (attributes = '') => `<div data-sendwright="compose" id="one" ${attributes}></div>`
const other = '<!doctype html><html lang="en"><title>Other</title><p>Another page</p></html>'

beforeEach(() => bench.host.on('/other', other))

/** Opens a page; `requested` are the beforeunload prompts. */
async function open(body: string, head = '') {
  bench.host.on('/', pageWith(bench.embed, body, { head }))
  const opened = await openPage(bench.browser)
  const requested: string[] = []
  opened.page.on('dialog', (dialog) => {
    requested.push(dialog.type())
    void dialog.dismiss()
  })
  await opened.page.goto(bench.host.url)
  await waitForState(opened.page, 'ready')
  return { ...opened, requested }
}

const subject = (page: Page) => page.getByLabel('Subject Line')
const message = (page: Page) => page.getByLabel('Message body')
const kept = (page: Page) =>
  page.evaluate(() =>
    Object.keys(sessionStorage)
      // The time to undo of all tests (tests/support/browser.ts).
      .filter((key) => key !== 'sendwright-undo')
      .map((key) => [key, sessionStorage.getItem(key)].join(' ')),
  )

/** Waits for the chunk that stores drafts: it loads after the widget. */
async function keeping(page: Page): Promise<void> {
  const link = page.locator('link[href*="/apply-options-"]')
  await link.waitFor({ state: 'attached' })
  // A second import in the page has run.
  await page.evaluate(`import(${JSON.stringify(await link.getAttribute('href'))}).then(() => 0)`)
}

async function write(page: Page): Promise<void> {
  await subject(page).pressSequentially('Hello')
  await message(page).pressSequentially('Dear friend, good morning')
  await page.getByLabel('Recipients', { exact: true }).fill('ann@example.com')
  await page.getByLabel('Recipients', { exact: true }).press('Enter')
  await page.getByText('ann@example.com', { exact: true }).waitFor()
  await page.getByLabel('Recipients', { exact: true }).pressSequentially('ben@ex')
}

async function expectWritten(page: Page): Promise<void> {
  await expect.poll(() => subject(page).inputValue()).toBe('Hello')
  await expect.poll(() => message(page).inputValue()).toBe('Dear friend, good morning')
  await page.getByText('ann@example.com', { exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Recipients', { exact: true }).inputValue()).toBe('ben@ex')
}

/** Visits as Turbo makes them: the body is swapped, and Back restores a copy of the previous body. */
const turbo = `<script>(() => {
  const cached = new Map()
  const swap = (body) => document.body.replaceWith(body)
  const leave = () => cached.set(location.pathname, document.body.cloneNode(true))
  addEventListener('click', async (event) => {
    const link = event.target.closest?.('a')
    if (!link) return
    event.preventDefault()
    const text = await (await fetch(link.href)).text()
    leave()
    history.pushState({}, '', link.href)
    swap(new DOMParser().parseFromString(text, 'text/html').body)
  })
  addEventListener('popstate', () => swap(cached.get(location.pathname)))
})()</script>`

describe('unsaved input', () => {
  it('TRIAL-59 is restored after a reload, after Back and after a Turbo visit', async () => {
    bench.host.on('/turbo', pageWith(bench.embed, '<a href="/">Home</a><p>Second page</p>', { head: turbo }))
    await using opened = await open(`<a href="/turbo">Turbo</a>${composer()}`, turbo)
    const { page, requested } = opened
    await write(page)
    await page.reload()
    await expectWritten(page)
    await page.goto(`${bench.host.url}/other`)
    await page.getByText('Another page').waitFor()
    await page.goBack()
    await expectWritten(page)
    await page.getByText('Turbo').click()
    await page.getByText('Second page').waitFor()
    await page.goBack()
    await expectWritten(page)
    await page.getByText('Turbo').click()
    await page.getByText('Second page').waitFor()
    await page.getByText('Home').click()
    await expectWritten(page)
    expect(requested).toEqual([])
  })

  it('is stored per element and per page, apart from the values that the page fills in', async () => {
    const two = `<div data-sendwright="compose" data-sendwright-subject="Order 7"></div><div data-sendwright="compose"></div>`
    bench.host.on('/second', pageWith(bench.embed, two))
    await using opened = await openPage(bench.browser)
    const { page } = opened
    bench.host.on('/', pageWith(bench.embed, two))
    await page.goto(bench.host.url)
    await waitForState(page, 'ready', 2)
    await message(page).nth(0).pressSequentially('To the first')
    await message(page).nth(1).pressSequentially('To the second')
    await page.reload()
    await expect.poll(() => message(page).nth(0).inputValue()).toBe('To the first')
    await expect.poll(() => message(page).nth(1).inputValue()).toBe('To the second')
    await expect.poll(() => subject(page).nth(0).inputValue()).toBe('Order 7')
    await page.goto(`${bench.host.url}/second`)
    await waitForState(page, 'ready', 2)
    await keeping(page)
    await expect.poll(() => message(page).nth(0).inputValue()).toBe('')
  })

  it('TRIAL-60 is deleted after the send, and is never stored with draft="off"', async () => {
    await using opened = await open(composer())
    const { page } = opened
    await write(page)
    await page.getByLabel('Recipients', { exact: true }).fill('')
    await page.getByLabel('From', { exact: true }).selectOption('eh_one')
    await expect.poll(() => kept(page)).toEqual([expect.stringMatching(/pk_test.*Hello.*ann@example\.com/)])
    // No key and no alias of one.
    await expect.poll(async () => (await kept(page)).join()).not.toMatch(/e[hs]_/)
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByText('Email sent successfully!').first().waitFor()
    await expect.poll(() => kept(page)).toEqual([])
    await page.reload()
    await waitForState(page, 'ready')
    await keeping(page)
    await expect.poll(() => subject(page).inputValue()).toBe('')

    bench.host.on('/off', pageWith(bench.embed, composer('data-sendwright-draft="off"')))
    await page.goto(`${bench.host.url}/off`)
    await waitForState(page, 'ready')
    const writes = await page.evaluateHandle(() => {
      const seen: string[] = []
      const keep = sessionStorage.setItem.bind(sessionStorage)
      Storage.prototype.setItem = (key: string, value: string) => {
        seen.push(key)
        keep(key, value)
      }
      return seen
    })
    await write(page)
    await keeping(page)
    // The prompt appears where the text would have been stored, had storage not been disabled.
    const question = page.waitForEvent('dialog')
    await page.evaluate(() => location.reload())
    await question
    expect(await writes.jsonValue()).toEqual([])
    await expect.poll(() => kept(page)).toEqual([])
  })

  it('TRIAL-61 triggers the browser’s beforeunload prompt when it could not be stored', async () => {
    await using opened = await open(composer())
    const { page, requested } = opened
    await keeping(page)
    await page.evaluate(() => {
      // Fill the storage up to the browser's quota.
      let text = 'x'.repeat(2 ** 22)
      for (let at = 0; text.length > 0; at += 1) {
        try {
          sessionStorage.setItem(`full ${at}`, text)
        } catch {
          text = text.slice(text.length / 2 + 0.5)
        }
      }
    })
    await subject(page).pressSequentially('Hello')
    const question = page.waitForEvent('dialog')
    await page.evaluate(() => location.reload())
    await question
    await expect.poll(() => requested).toEqual(['beforeunload'])
    await expect.poll(() => subject(page).inputValue()).toBe('Hello')
    await page.evaluate(() => sessionStorage.clear())
    // There is space now: the input is stored, without a prompt.
    await subject(page).pressSequentially(', Ann')
    await page.reload()
    await expect.poll(() => subject(page).inputValue()).toBe('Hello, Ann')
    await expect.poll(() => requested).toEqual(['beforeunload'])
  })
})
