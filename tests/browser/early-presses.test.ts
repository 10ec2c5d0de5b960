import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Design, Inline } from '../../contract/design/design.ts'
import { letterOf } from '../../widgets/compose/modes/rich-text/convert.ts'
import type { OpenedPage } from '../support/browser.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleUser } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('getCurrentUser', { json: sampleUser({ preferences: {} }) })
})

const open = (mode: 'text' | 'design' | 'html', options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path: '/dashboard/send_email?mode=' + mode, token: 'at_1', ...options })
const source = (page: Page) => page.getByLabel('Message body').inputValue()
const press = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Snippets' }).getByRole('button', { name, exact: true }).click()

/** Holds back a part of the page until the returned function is called. */
async function hold(page: Page, part: RegExp): Promise<() => void> {
  const gate = Promise.withResolvers<undefined>()
  await page.route(part, async (route) => {
    await gate.promise
    await route.continue()
  })
  return () => gate.resolve(undefined)
}

/** Opens the page of a mode without its tools, and holds these back. */
async function openHeld(page: Page, part: RegExp): Promise<() => void> {
  const release = await hold(page, part)
  await page.reload()
  await page.getByRole('group', { name: 'Snippets' }).waitFor()
  return release
}

const htmlTools = /html-tools-.*\.js/

describe('a press of a tool before the tools are loaded', () => {
  it('in HTML mode inserts its snippet when they come; who writes in another field goes on there', async () => {
    await using opened = await open('html')
    const { page } = opened
    const release = await openHeld(page, htmlTools)
    await press(page, 'Bold')
    await page.getByLabel('Subject Line').pressSequentially('Doors ')
    release()
    await expect.poll(() => source(page)).toBe('<b>text</b>')
    await page.keyboard.type('open')
    expect(await page.getByLabel('Subject Line').inputValue()).toBe('Doors open')
    expect(await source(page)).toBe('<b>text</b>')
  })

  it('leads to the message: what is typed then is kept, and what is typed later replaces the sample text', async () => {
    await using opened = await open('html')
    const { page } = opened
    const release = await openHeld(page, htmlTools)
    await press(page, 'Bold')
    await page.keyboard.type('Now ')
    release()
    await expect.poll(() => source(page)).toBe('Now <b>text</b>')
    await page.keyboard.type('open')
    await expect.poll(() => source(page)).toBe('Now <b>open</b>')
  })

  it('is kept beside a draft that comes in between', async () => {
    await using opened = await open('html')
    const { page } = opened
    const draft = Promise.withResolvers<undefined>()
    site.on('getDraft', async () => {
      await draft.promise
      const content = { mailboxId: '', subject: 'Kept', messageBody: '<p>Dear friend</p>', context: {}, recipients: [] }
      return { json: { content, revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] } }
    })
    const release = await openHeld(page, htmlTools)
    await press(page, 'Table')
    draft.resolve(undefined)
    await expect.poll(() => source(page)).toBe('<p>Dear friend</p>')
    release()
    await expect.poll(() => source(page)).toContain('</table>')
    expect(await source(page)).toContain('<p>Dear friend</p>')
  })

  it('inserts into the mode that is shown when the tools come', async () => {
    await using opened = await open('html')
    const { page } = opened
    const release = await openHeld(page, htmlTools)
    await press(page, 'Button')
    await page.getByRole('radio', { name: 'Text' }).click()
    await page.locator('.rich-text').getByText('Button').waitFor()
    release()
    await expect.poll(() => page.locator('.rich-text').innerText()).not.toContain('<p>')
    await page.getByRole('document', { name: 'Message' }).getByRole('link', { name: 'Button' }).waitFor()
  })

  it('is not lost without a word when they do not come', async () => {
    await using opened = await open('html', { allowFaults: /Failed to load resource/ })
    const { page } = opened
    await page.route(htmlTools, (route) => route.abort())
    await page.reload()
    await press(page, 'Bold')
    await page.getByText('The editor could not be loaded').waitFor()
  })

  it('in Text mode inserts each in the order of the presses', async () => {
    await using opened = await open('text')
    const { page } = opened
    const release = await openHeld(page, /text-part-.*\.js/)
    await press(page, 'Button')
    await press(page, 'Table')
    release()
    await page.locator('.rich-text').waitFor()
    const mail = page.getByRole('document', { name: 'Message' })
    await expect.poll(() => mail.locator('a, th').allTextContents()).toEqual(['Button', 'Heading', 'Heading'])
  })

  it('in Design mode adds its block when the editor comes', async () => {
    await using opened = await open('design')
    const { page } = opened
    const release = await openHeld(page, /design-(body|mode)-.*\.js/)
    await press(page, 'Button')
    release()
    await page
      .getByRole('group', { name: 'Mail', exact: true })
      .getByRole('group', { name: /^Button/ })
      .waitFor()
  })
})

/** A draft of Text mode, as another browser saved it. */
const writtenBefore = {
  ...{ mailboxId: '', subject: 'Doors', context: {}, recipients: ['ann@example.com'] },
  ...{ mode: 'text', messageBody: '<p>Doors <b>open</b></p>', text: '' },
  design: renderable([{ text: 'Doors ' }, { text: 'open', marks: { b: true } }]),
}

function renderable(content: Inline[]): Design {
  const text = { id: 'text', type: 'text' as const, content: [{ type: 'paragraph' as const, content }] }
  return letterOf([text])
}

describe('a draft in Text mode whose editor is not loaded yet', () => {
  async function openWritten(): Promise<OpenedPage & { release: () => void }> {
    site.on('getDraft', {
      json: { content: writtenBefore, revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] },
    })
    const opened = await open('text')
    const release = await openHeld(opened.page, /text-part-.*\.js/)
    await expect.poll(() => opened.page.getByLabel('Subject Line').inputValue()).toBe('Doors')
    return { ...opened, release }
  }
  const paragraphs = (page: Page) => page.locator('.rich-text p').allInnerTexts()

  it('gets what is typed meanwhile at its end, and what is typed later after that', async () => {
    await using opened = await openWritten()
    const { page, release } = opened
    await page.getByLabel('Message body').click()
    await page.keyboard.type('Bring {{name}}')
    release()
    await page.locator('.rich-text').waitFor()
    await page.keyboard.type(' along')
    await expect.poll(() => paragraphs(page)).toEqual(['Doors open', 'Bring name along'])
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => paragraphs(page)).toEqual(['Doors open'])
  })

  it('is continued at its end by whoever was in the box', async () => {
    await using opened = await openWritten()
    const { page, release } = opened
    await page.getByLabel('Message body').click()
    release()
    await page.locator('.rich-text').waitFor()
    await page.keyboard.type(' today')
    await expect.poll(() => paragraphs(page)).toEqual(['Doors open today'])
  })

  it('is launched with what was typed meanwhile', async () => {
    await using opened = await openWritten()
    const { page } = opened
    await page.getByLabel('Message body').fill('Bring {{name}}\nalong\n\nBye')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page.getByRole('log').getByText('Email sent successfully!').waitFor()
    const sent = site.received.map(({ body }) => body as { design?: Design } | null).findLast((body) => body?.design)
    expect(sent?.design?.rows[0]?.columns[0]?.blocks).toMatchObject([
      { id: 'text' },
      {
        type: 'text',
        content: [
          { content: [{ text: 'Bring ' }, { variable: 'name', fallback: '' }, { break: true }, { text: 'along' }] },
          { content: [{ text: 'Bye' }] },
        ],
      },
    ])
  })

  it('keeps what was typed meanwhile in another mode', async () => {
    await using opened = await openWritten()
    const { page } = opened
    await page.getByLabel('Message body').fill('Bring a friend')
    await page.getByRole('radio', { name: 'HTML' }).click()
    await expect.poll(() => source(page)).toMatch(/open<\/(b|strong)>.*Bring a friend/s)
  })
})

it('a message that is launched before the editor of Text mode comes leaves the form, and what is typed since stays', async () => {
  await using opened = await open('text')
  const { page } = opened
  const release = await openHeld(page, /text-part-.*\.js/)
  const answer = Promise.withResolvers<undefined>()
  site.on('sendMailWithKey', async () => {
    await answer.promise
    return { json: { message: 'Email sent successfully to 1 recipients', id: 'msg_1', accepted: 1, suppressed: 0 } }
  })
  await page.getByLabel('Subject Line').fill('Doors')
  await page.getByLabel('Recipients').fill('ann@example.com')
  await page.getByLabel('Message body').fill('Doors open')
  const part = page.waitForEvent('requestfinished', (request) => request.url().includes('text-part-'))
  await page.getByRole('button', { name: 'Launch Message' }).click()
  await page.getByRole('button', { name: 'Sending...' }).waitFor()
  release()
  await part
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  answer.resolve(undefined)
  await page.getByRole('log').getByText('Email sent successfully!').waitFor()
  await page.locator('.rich-text').waitFor()
  expect(await page.locator('.rich-text').innerText()).toBe('\n')
})
