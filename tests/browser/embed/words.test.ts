import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { axeViolations, openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'
import { sampleConfig, sampleMessage, sampleUsage } from '../../support/samples.ts'

const bench = embedBench()
beforeEach(() => {
  const { api } = bench.embed
  const list = (json: unknown[]) => ({ json, headers: { 'X-Total-Count': String(json.length), ...cors } })
  api.on('listEmailConfigs', list([sampleConfig({ secret_key: 'eh_one' })]))
  api.on('listConfigUsage', list([sampleUsage({ day_count: 12 })]))
  api.on('getEmailTemplates', list([]))
  api.on('listDocuments', list([]))
  const states = { 'a@example.com': 'sent', 'b@example.com': 'failed' } as const
  const message = JSON.stringify(sampleMessage(states))
  const headers = { 'Content-Type': 'text/event-stream', ...cors }
  api.on('watchMessage', { text: `event: progress\ndata: ${message}\n\n`, headers })
})

async function open(widget: string, lang: string, attributes = '') {
  const element = `<div data-sendwright="${widget}" data-sendwright-lang="${lang}" ${attributes}></div>`
  bench.host.on('/', pageWith(bench.embed, `<main><h1>المضيف</h1><h2>القسم</h2>${element}</main>`))
  const opened = await openPage(bench.browser)
  await opened.page.goto(bench.host.url)
  await waitForState(opened.page, 'ready')
  return opened
}

/** Visible and accessible texts of the widgets without a letter of Arabic, except user content. */
function english(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>()
    const inspect = (root: ParentNode) => {
      for (const one of root.querySelectorAll('*')) {
        if (one.shadowRoot) inspect(one.shadowRoot)
        if (one.closest('[translate=no], style, textarea') || !one.checkVisibility()) continue
        const texts = [...one.childNodes].flatMap((node) => (node instanceof Text ? [node.data] : []))
        const accessibleTexts = ['aria-label', 'aria-valuetext', 'data-label', 'placeholder', 'title'].map(
          (name) => one.getAttribute(name) ?? '',
        )
        for (const text of [...texts, ...accessibleTexts]) {
          if (/[a-z]{3}/i.test(text) && !/[\u0600-\u06ff]/.test(text)) found.add(text.trim())
        }
      }
    }
    for (const element of document.querySelectorAll('[data-sendwright]')) inspect(element.shadowRoot!)
    return [...found]
  })
}
/** Addresses, codes and names of providers are the same in every language. */
const sameEverywhere = /^[^\s@]+@\S+$|^(gmail|outlook|yahoo|STARTTLS|TLS|HTML|eh_\S*|myaccount\.google\S*|\{\{\w+\}\})$/
const foreign = async (page: Page) => (await english(page)).filter((text) => !sameEverywhere.test(text))

it('an Arabic composer contains no English in its texts, labels, confirmations and progress', async () => {
  await using opened = await open('compose', 'ar', 'data-sendwright-recipients="a@example.com, nobody, b@example.com"')
  const { page } = opened
  await page.getByText('nobody').first().waitFor()
  await expect.poll(() => foreign(page)).toEqual([])
  await page.getByLabel('من', { exact: true }).selectOption({ index: 1 })
  await page.getByLabel('الموضوع').fill('Hello')
  await page.getByLabel('نص الرسالة').fill('Dear {{name}}')
  await page.getByRole('document').getByText('Dear').first().waitFor()
  await expect.poll(() => foreign(page)).toEqual([])
  await page.getByRole('button', { name: 'إرسال الرسالة' }).click()
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => foreign(page)).toEqual([])
  await page.getByRole('button', { name: /^إرسال إلى/ }).click()
  await page.getByRole('alert').or(page.getByRole('status')).getByText('تم إرسال البريد').first().waitFor()
  await page.getByText('b@example.com').first().waitFor()
  await expect.poll(() => foreign(page)).toEqual([])
  await page.getByText('أُرسلت إلى 1 من 2 · 1 فاشلة', { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

it('an Arabic mailbox manager, its form and its confirmations contain no English', async () => {
  await using opened = await open('config-manager', 'ar')
  const { page } = opened
  await page.getByRole('meter').waitFor()
  await expect.poll(() => foreign(page)).toEqual([])
  for (const provider of ['outlook', 'yahoo', 'other']) {
    await page.getByLabel('المزوّد').selectOption(provider)
    await expect.poll(() => foreign(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'إضافة إعداد' }).click()
  await page.getByRole('button', { name: /^حذف/ }).click()
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => foreign(page)).toEqual([])
  expect(await axeViolations(page)).toEqual([])
})

it('an Arabic template picker and its dialog contain no English', async () => {
  await using opened = await open('template-picker', 'ar')
  const { page } = opened
  await page.getByRole('button', { name: 'إنشاء قالب' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'إنشاء قالب' }).click()
  await expect.poll(() => foreign(page)).toEqual([])
  expect(await axeViolations(page)).toEqual([])
})

it('another language replaces the previous one, and English restores the built-in messages', async () => {
  await using opened = await open('compose', 'ar')
  const { page } = opened
  const element = page.locator('[data-sendwright]')
  const change = (lang: string) =>
    element.evaluate((one, value) => one.setAttribute('data-sendwright-lang', value), lang)
  await page.getByLabel('الموضوع').fill('Kept')
  await change('es')
  await page.getByRole('button', { name: 'Enviar mensaje' }).waitFor()
  await expect.poll(() => page.getByLabel('Asunto').evaluate((one) => getComputedStyle(one).direction)).toBe('ltr')
  await change('en')
  await page.getByRole('button', { name: 'Launch Message' }).waitFor()
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Kept')
  await expect.poll(() => page.getByText('Before you launch').or(page.getByLabel('Before you launch')).count()).toBe(1)
})

it('user content is not translated, even where it equals a message', async () => {
  await using opened = await open('compose', 'es', 'data-sendwright-recipients="Table, Bank of America, a@example.com"')
  const { page } = opened
  await page.getByText('Bank of America').first().waitFor()
  await page.getByText('Table', { exact: true }).first().waitFor()
  await expect.poll(() => page.getByText('Bank de America').count()).toBe(0)
})
