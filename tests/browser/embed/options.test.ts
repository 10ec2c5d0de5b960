import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { pageWith } from '../../support/embed-site.ts'

const bench = embedBench()

async function open(attributes: string, options: Parameters<typeof pageWith>[2] = {}, tag = 'compose') {
  bench.host.on(
    '/',
    pageWith(bench.embed, `<main><h1>Host</h1><div data-sendwright="${tag}" ${attributes}></div></main>`, options),
  )
  const opened = await openPage(bench.browser)
  await opened.page.goto(bench.host.url)
  await waitForState(opened.page, 'ready')
  return opened
}
const token = (page: Page, name: string) =>
  page
    .getByRole('button', { name: 'Launch Message' })
    .evaluate((one, property) => getComputedStyle(one).getPropertyValue(property), name)

describe('the options of an element', () => {
  it('fill the draft: subject, recipients, mailbox and values', async () => {
    await using opened = await open(
      `data-sendwright-subject="Your order" data-sendwright-recipients="a@example.com, b@example.com" data-sendwright-config="cfg_1" data-sendwright-context='{"name":"Ann"}'`,
    )
    const { page } = opened
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Your order')
    await page.getByText('b@example.com').waitFor()
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('eh_one')
    await page.getByLabel('Message body').fill('Dear {{name}}')
    await page.getByRole('document', { name: 'Message' }).getByText('Dear Ann').waitFor()
  })

  it('set the accent, the radius, the theme and the density', async () => {
    await using opened = await open(
      'data-sendwright-accent="#7a1fa2" data-sendwright-radius="2" data-sendwright-theme="dark" data-sendwright-density="compact"',
    )
    const { page } = opened
    await expect.poll(() => token(page, '--sw-color-accent')).toBe('#7a1fa2')
    await expect.poll(() => token(page, '--sw-radius-2')).toBe('2px')
    await expect.poll(() => token(page, 'color-scheme')).toBe('dark')
    const compact = await token(page, 'padding-top')
    await page.locator('[data-sendwright]').evaluate((one) => one.removeAttribute('data-sendwright-density'))
    await expect.poll(() => token(page, 'padding-top')).not.toBe(compact)
  })

  it('apply only the documented custom properties of the page', async () => {
    const head =
      '<style>:root { --accent: 240 4% 95%; --radius: 3rem } [data-sendwright] { --sendwright-accent: rgb(0, 0, 200) }</style>'
    await using opened = await open('', { head })
    await expect.poll(() => token(opened.page, '--sw-color-accent')).toBe('rgb(0, 0, 200)')
    await expect.poll(() => token(opened.page, '--sw-radius-2')).toBe('8px')
  })

  it('let the page style parts', async () => {
    const head = '<style>[data-sendwright]::part(button) { text-transform: uppercase }</style>'
    await using opened = await open('', { head })
    await expect.poll(() => token(opened.page, 'text-transform')).toBe('uppercase')
  })

  it('TEXTMODE-29 decide the mode: Text by default, and a mode that was chosen in the page is not remembered', async () => {
    const isMode = (page: Page, name: string) =>
      expect
        .poll(() => page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name }).isChecked())
        .toBe(true)
    {
      await using opened = await open('', { mode: '' })
      const { page } = opened
      await isMode(page, 'Text')
      await page.getByLabel('Message body').click()
      await page.getByRole('textbox', { name: 'Message body' }).and(page.locator('[contenteditable]')).waitFor()
      await page.keyboard.type('Dear friend')
      await page.getByRole('document', { name: 'Message' }).getByText('Dear friend').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Backspace')
      await page.getByRole('radio', { name: 'HTML' }).click()
      await isMode(page, 'HTML')
      await page.reload()
      await waitForState(page, 'ready')
      await isMode(page, 'Text')
      expect(bench.embed.api.received.filter(({ method }) => method === 'PATCH')).toEqual([])
    }
    await using opened = await open('data-sendwright-mode="html"', { mode: '' })
    await isMode(opened.page, 'HTML')
  })

  it('hide parts and fix fields', async () => {
    await using opened = await open(
      'data-sendwright-hide="preview, snippets, templates" data-sendwright-readonly="subject" data-sendwright-subject="Fixed"',
    )
    const { page } = opened
    await expect.poll(() => page.getByRole('region', { name: 'Preview' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Bold' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Create Template' }).count()).toBe(0)
    await expect.poll(() => page.getByLabel('Subject Line').isEditable()).toBe(false)
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Fixed')
  })
})

describe('the messages of a widget', () => {
  it('are Spanish in a Spanish page, in the widget and in lazily loaded parts', async () => {
    await using opened = await open('data-sendwright-lang="es"')
    const { page } = opened
    await page.getByLabel('Asunto').fill('Colour')
    await page.getByRole('button', { name: 'Enviar mensaje' }).waitFor()
    await page.getByLabel('Cuerpo del mensaje').fill('Button')
    // User content is not translated.
    await expect.poll(() => page.getByRole('document', { name: 'Mensaje' }).textContent()).toBe('Button')
    await expect.poll(() => page.getByText('Color', { exact: true }).count()).toBe(1)
  })

  it('are Arabic and right to left, and axe finds no violation', async () => {
    await using opened = await open('data-sendwright-lang="ar"')
    const { page } = opened
    await page.getByRole('button', { name: 'إرسال الرسالة' }).waitFor()
    await expect.poll(() => page.getByLabel('الموضوع').evaluate((one) => getComputedStyle(one).direction)).toBe('rtl')
    expect(await axeViolations(page)).toEqual([])
  })

  it('leave no English in an Arabic composer', async () => {
    await using opened = await open('data-sendwright-lang="ar"')
    const { page } = opened
    await page.getByRole('button', { name: 'إرسال الرسالة' }).waitFor()
    const english = await page.locator('[data-sendwright]').evaluate((element) => {
      const root = element.shadowRoot!.querySelector('div > div > div')!.shadowRoot!
      const texts = [...root.querySelectorAll('*')].flatMap((one) => [
        ...[...one.childNodes].filter((node) => node instanceof Text).map((node) => node.data),
        ...['aria-label', 'placeholder', 'title'].map((name) => one.getAttribute(name) ?? ''),
      ])
      return texts.map((text) => text.trim()).filter((text) => /[a-z]{3}/i.test(text) && !/[\u0600-\u06ff]/.test(text))
    })
    // The mailbox's address, its provider and the mask of its key are not translated.
    expect(english.filter((text) => !/@|^gmail$|^HTML$/.test(text))).toEqual([])
  })

  it('come from the site’s own message file for any other language', async () => {
    bench.host.on('/words.fr.json', {
      html: JSON.stringify({ 'Launch Message': 'Envoyer le message', 'Subject Line': 'Objet' }),
      headers: { 'Content-Type': 'application/json' },
    })
    await using opened = await open('data-sendwright-lang="fr" data-sendwright-messages="/words.fr.json"')
    await opened.page.getByRole('button', { name: 'Envoyer le message' }).waitFor()
    await opened.page.getByLabel('Objet').fill('Bonjour')
  })

  it('are English when a message file fails to load', async () => {
    bench.host.on('/none.json', '<!doctype html>')
    await using opened = await open('data-sendwright-lang="fr" data-sendwright-messages="/none.json"')
    await opened.page.getByRole('button', { name: 'Launch Message' }).waitFor()
  })
})
