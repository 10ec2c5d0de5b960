import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { takes } from '../../../loader/options/bad-option.ts'
import { hideableParts } from '../../../loader/options/hideable-parts.ts'
import type { HideablePart } from '../../../widgets/compose/compose-state.ts'
import { axeViolations, openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'
import { sampleConfig, sampleTemplate } from '../../support/samples.ts'

const bench = embedBench()
const two = [
  sampleConfig({ secret_key: 'eh_one' }),
  sampleConfig({ id: 'cfg_2', email_address: 'second@gmail.com', secret_key: 'eh_two' }),
]
beforeEach(() => {
  bench.embed.api.on('listEmailConfigs', { json: two, headers: { 'X-Total-Count': '2', ...cors } })
})

async function open(attributes: string) {
  const element = `<div data-sendwright="compose" ${attributes}></div>`
  bench.host.on('/', pageWith(bench.embed, `<main><h1>Host</h1>${element}</main>`))
  const opened = await openPage(bench.browser)
  await opened.page.goto(bench.host.url)
  await waitForState(opened.page, 'ready')
  return opened
}
const change = (page: Page, name: string, value: string | null) =>
  page.locator('[data-sendwright]').evaluate(
    (element, [option, text]) => {
      if (text === null) element.removeAttribute(`data-sendwright-${option}`)
      else element.setAttribute(`data-sendwright-${option}`, text)
    },
    [name, value] as const,
  )
const from = (page: Page) => page.getByLabel('From', { exact: true })
const body = (page: Page) => page.getByLabel('Message body')

describe('docs/embedding.md', () => {
  const read = () => readFile(join(import.meta.dirname, '../../../docs/embedding.md'), 'utf8')
  const rows = (text: string) => {
    const [, table = ''] = /## Attributes(.*?)`config` to `mode`/s.exec(text) ?? []
    return new Map(
      [...table.matchAll(/^\| `([\w-]+)` +\| ([^|\n]*)\|/gm)].map(([, name = '', what = '']) => [name, what.trim()]),
    )
  }

  it('documents exactly the options that the loader reads', async () => {
    expect([...rows(await read()).keys()].sort()).toEqual(Object.keys(takes).sort())
  })

  it('documents exactly the parts that can be hidden', async () => {
    const hide = rows(await read()).get('hide') ?? ''
    expect([...hide.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).sort()).toEqual([...hideableParts].sort())
  })
})

describe('the template attribute of an element', () => {
  it('opens the composer with that template and offers its tags', async () => {
    const template = sampleTemplate({ id: 't1', subject: 'Your order {{order}}', body: '<p>Dear {{name}}</p>' })
    bench.embed.api.on('getEmailTemplate', { json: template, headers: cors })
    await using opened = await open('data-sendwright-template="t1"')
    await expect.poll(() => body(opened.page).inputValue()).toBe('<p>Dear {{name}}</p>')
    await expect.poll(() => opened.page.getByLabel('Subject Line').inputValue()).toBe('Your order {{order}}')
  })

  it('leaves the composer usable and shows an error when the template does not exist', async () => {
    bench.embed.api.on('getEmailTemplate', { status: 404, json: { detail: 'Gone' }, headers: cors })
    await using opened = await openPage(bench.browser, { allowFaults: /404/ })
    bench.host.on('/', pageWith(bench.embed, '<div data-sendwright="compose" data-sendwright-template="t2"></div>'))
    await opened.page.goto(bench.host.url)
    await opened.page.getByText('The template could not be loaded').waitFor()
    await body(opened.page).fill('Written anyway')
  })
})

describe('the hide attribute of an element', () => {
  const shown: Record<Exclude<HideablePart, 'choose-template'>, (page: Page) => Locator> = {
    preview: (page) => page.getByRole('document', { name: 'Message' }),
    templates: (page) => page.getByRole('button', { name: /(Choose|Create) Template/ }).first(),
    'test-send': (page) => page.getByRole('button', { name: 'Send a test to me' }),
    snippets: (page) => page.getByRole('button', { name: 'Bold' }),
    from: (page) => from(page),
    recipients: (page) => page.getByLabel('Recipients', { exact: true }),
    subject: (page) => page.getByLabel('Subject Line'),
  }

  it.each(Object.entries(shown))('hides and shows %s at run time and keeps the input', async (name, part) => {
    await using opened = await open('data-sendwright-subject="Hello"')
    const { page } = opened
    await body(page).fill('Written')
    await part(page).waitFor()
    await change(page, 'hide', name)
    await part(page).waitFor({ state: 'hidden' })
    await change(page, 'hide', null)
    await part(page).waitFor()
    await expect.poll(() => body(page).inputValue()).toBe('Written')
  })

  it('keeps the template button beside a hidden preview, and removes an empty landmark', async () => {
    await using opened = await open('data-sendwright-hide="preview"')
    const { page } = opened
    await page.getByRole('region', { name: 'Templates' }).getByRole('button', { name: 'Choose Template' }).waitFor()
    await change(page, 'hide', 'preview, templates')
    await page.getByRole('region', { name: 'Templates' }).waitFor({ state: 'hidden' })
  })
})

describe('a test mail', () => {
  it('is sent to the selected mailbox, and the draft is kept', async () => {
    await using opened = await open('data-sendwright-config="cfg_2" data-sendwright-subject="Hello"')
    const { page } = opened
    await body(page).fill('Written')
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/send-mail/'))
    await page.getByRole('button', { name: 'Send a test to me' }).click()
    expect((await sent).postDataJSON()).toMatchObject({ recipient_list: ['second@gmail.com'], subject: 'Hello' })
    expect((await sent).url()).toContain('eh_two')
    await page.getByText('Test sent to second@gmail.com').waitFor()
    await expect.poll(() => body(page).inputValue()).toBe('Written')
  })
})

describe('a fixed field is read-only', () => {
  const fixed =
    'data-sendwright-config="cfg_1" data-sendwright-recipients="a@example.com, b@example.com" data-sendwright-subject="Fixed"'

  it('from: read-only by mouse and keyboard, and marked as disabled', async () => {
    await using opened = await open(`${fixed} data-sendwright-readonly="from"`)
    const { page } = opened
    await expect.poll(() => from(page).inputValue()).toBe('eh_one')
    await expect.poll(() => from(page).getAttribute('aria-disabled')).toBe('true')
    await from(page).focus()
    for (const key of ['ArrowDown', 's', 'End']) await page.keyboard.press(key)
    await expect.poll(() => from(page).inputValue()).toBe('eh_one')
    await page.keyboard.press('Tab')
    await expect.poll(() => from(page).evaluate((one) => one.matches(':focus'))).toBe(false)
    await change(page, 'readonly', null)
    await expect.poll(() => from(page).getAttribute('aria-disabled')).toBe(null)
    await from(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => from(page).inputValue()).toBe('eh_two')
  })

  it('recipients: shown without an input and without remove buttons', async () => {
    await using opened = await open(`${fixed} data-sendwright-readonly="recipients"`)
    const { page } = opened
    const group = page.getByRole('group', { name: 'Recipients' })
    await group.getByText('b@example.com').waitFor()
    await expect.poll(() => group.getByRole('button').count()).toBe(0)
    await expect.poll(() => group.getByRole('textbox').count()).toBe(0)
  })

  it('subject and body: shown as read-only text; no template replaces them', async () => {
    await using opened = await open(`${fixed} data-sendwright-readonly="subject, body"`)
    const { page } = opened
    await expect.poll(() => page.getByLabel('Subject Line').isEditable()).toBe(false)
    await expect.poll(() => body(page).isEditable()).toBe(false)
    await expect.poll(() => page.getByRole('button', { name: 'Bold' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'Choose Template' }).count()).toBe(0)
  })

  it('axe finds no violation in a composer with all fields fixed', async () => {
    await using opened = await open(`${fixed} data-sendwright-readonly="from, recipients, subject, body"`)
    await opened.page.getByText('b@example.com').first().waitFor()
    expect(await axeViolations(opened.page)).toEqual([])
    const inert = await opened.page
      .getByRole('form', { name: 'Message' })
      .evaluate((form) => form.querySelectorAll('[inert], [aria-hidden=true] input').length)
    expect(inert).toBe(0)
  })
})

describe('an option set after the mount', () => {
  it('fills a composer that was mounted without it', async () => {
    await using opened = await open('')
    const { page } = opened
    await change(page, 'subject', 'Later')
    await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Later')
    await change(page, 'recipients', 'late@example.com')
    await page.getByText('late@example.com').waitFor()
  })

  it('changes the mailbox', async () => {
    await using opened = await open('data-sendwright-config="cfg_1"')
    const { page } = opened
    await expect.poll(() => from(page).inputValue()).toBe('eh_one')
    await change(page, 'config', 'cfg_2')
    await expect.poll(() => from(page).inputValue()).toBe('eh_two')
  })

  it('with an invalid value logs an error, and the composer stays', async () => {
    await using opened = await open('')
    const { page } = opened
    const reported = page.evaluate(
      () =>
        new Promise((resolve) =>
          document.addEventListener('sendwright:error', (event) => resolve((event as CustomEvent).detail)),
        ),
    )
    await change(page, 'context', '[1]')
    expect(await reported).toMatchObject({ code: 'bad-option', message: expect.stringContaining('context') as string })
    await body(page).fill('Still here')
  })
})
