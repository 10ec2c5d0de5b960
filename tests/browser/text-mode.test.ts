import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Design } from '../../contract/design/design.ts'
import { axeViolations, boxOf, viewports } from '../support/browser.ts'
import { openDashboard, type DashboardOptions, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleUser } from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('getCurrentUser', { json: sampleUser({ preferences: {} }) })
})

const open = (options: DashboardOptions = {}) =>
  openDashboard(browser, site, { path: '/dashboard/send_email', token: 'at_1', ...options })
const body = (page: Page) => page.getByLabel('Message body')
const editor = (page: Page) => page.locator('.rich-text')
const words = async (page: Page) => (await editor(page).innerText()).trimEnd().replaceAll('\u00a0', ' ')
const mail = (page: Page) => page.getByRole('document', { name: 'Message' })
const tool = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Snippets' }).getByRole('button', { name, exact: true })

/** Opens Text mode with its editor. */
async function ready(page: Page): Promise<void> {
  await body(page).click()
  await editor(page).waitFor()
}

/** Pastes into what has the focus. */
async function paste(page: Page, data: Readonly<Record<string, string>>): Promise<void> {
  await editor(page).evaluate((element, given) => {
    const clipboard = new DataTransfer()
    for (const [type, text] of Object.entries(given)) clipboard.setData(type, text)
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true, composed: true }),
    )
  }, data)
}

/** 1 MB of tables in each other: what is around a text, and what ends it. */
const nestedTables = {
  before: `<table title="${'x'.repeat(480)}"><tr><td>`.repeat(2000),
  after: '</td></tr></table>'.repeat(2000),
}

describe('the editor of Text mode', () => {
  it('TEXTMODE-05 Text typed before the rich text editor has loaded is in the editor afterwards, with the caret and the selection where they were', async () => {
    await using opened = await open()
    const { page } = opened
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/text-part/, async (route) => {
      await held
      await route.continue()
    })
    await body(page).click()
    await page.keyboard.type('Dear friend,')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('see you soon.')
    for (let at = 0; at < 5; at++) await page.keyboard.press('Shift+ArrowLeft')
    release()
    await editor(page).waitFor()
    await expect.poll(() => editor(page).locator('p').allTextContents()).toEqual(['Dear friend,', 'see you soon.'])
    await page.keyboard.type('later!')
    await expect.poll(() => editor(page).locator('p').allTextContents()).toEqual(['Dear friend,', 'see you later!'])
    await mail(page).getByText('see you later!').waitFor()
  })

  it('TEXTMODE-07 The text typed before the rich text editor loaded is taken back by one Undo step', async () => {
    await using opened = await open()
    const { page } = opened
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/text-part/, async (route) => {
      await held
      await route.continue()
    })
    await body(page).click()
    await page.keyboard.type('A whole sentence.')
    release()
    await editor(page).waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => words(page)).not.toContain('A whole')
    await page.keyboard.press('Control+y')
    await expect.poll(() => words(page)).toContain('A whole sentence.')
  })

  it('TEXTMODE-05 shows the text of a launch that is undone, also one that was launched before the editor had loaded', async () => {
    const undo_until = new Date(Date.now() + 60_000).toISOString()
    site.on('sendMailWithKey', { json: { id: 'msg_1', message: 'Sent', accepted: 1, suppressed: 0, undo_until } })
    site.on('undoMessage', { json: { cancelled: 1 } })
    await using opened = await open()
    const { page } = opened
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/text-part/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Subject Line').fill('Plan')
    await page.getByLabel('Recipients', { exact: true }).fill('a@example.com')
    await page.keyboard.press('Enter')
    await body(page).click()
    await page.keyboard.type('Dear both, see the plan.')
    await page.evaluate(() => sessionStorage.setItem('sendwright-undo', '60'))
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Email sent successfully!' })
    await alert.getByRole('button', { name: 'Undo' }).waitFor()
    release()
    await editor(page).waitFor()
    await expect.poll(() => words(page)).toBe('')
    await alert.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => words(page)).toBe('Dear both, see the plan.')
    await mail(page).getByText('Dear both, see the plan.').waitFor()
    await editor(page).press('End')
    await page.keyboard.type(' Now.')
    await mail(page).getByText('Dear both, see the plan. Now.').waitFor()
  })

  it('TEXTMODE-06 An input-method composition in progress is not broken off when the rich text editor loads', async () => {
    await using opened = await open()
    const { page } = opened
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/text-part/, async (route) => {
      await held
      await route.continue()
    })
    await body(page).click()
    const input = await page.context().newCDPSession(page)
    await input.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
    const loaded = page.waitForResponse(/text-part/)
    release()
    await (await loaded).finished()
    // The composition goes on in the text box, also after the part has come.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    await input.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    await expect.poll(() => editor(page).count()).toBe(0)
    await expect.poll(() => body(page).inputValue()).toBe('にほん')
    await input.send('Input.insertText', { text: '日本' })
    await editor(page).waitFor()
    expect(await words(page)).toBe('日本')
    await page.keyboard.type('!')
    await expect.poll(() => words(page)).toBe('日本!')
  })

  it('TEXTMODE-08 If the rich text editor cannot be loaded, the text area stays with its text, a notice offers a retry, and the message can be sent as plain paragraphs', async () => {
    await using opened = await open({ allowFaults: /Failed to load resource/ })
    const { page } = opened
    await page.route(/text-part/, (route) => route.abort())
    await body(page).click()
    await page.keyboard.type('Plain & simple')
    await page.getByText('The editor could not be loaded').waitFor()
    await expect.poll(() => body(page).inputValue()).toBe('Plain & simple')
    await mail(page).getByText('Plain & simple').waitFor()
    await page.getByRole('button', { name: 'Try Again' }).waitFor()
    await page.getByLabel('Subject Line').fill('Hello')
    await page.getByLabel('Recipients', { exact: true }).fill('a@example.com')
    await page.keyboard.press('Enter')
    await page.getByLabel('From', { exact: true }).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const sent = () => site.received.filter((one) => one.path.startsWith('/email/send-mail/'))
    await expect.poll(() => sent().length).toBe(1)
    expect(sent()[0]!.body).toMatchObject({ content: '<p>Plain &#38; simple</p>' })
  })

  it('TEXTMODE-10 A merge variable is shown as a chip, which Backspace removes whole', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('Dear {{first_name}}')
    await editor(page).locator('.variable', { hasText: 'first_name' }).waitFor()
    expect(await words(page)).toBe('Dear first_name')
    await page.keyboard.press('Backspace')
    await expect.poll(() => words(page)).toBe('Dear')
    await page.keyboard.type('friend')
    await expect.poll(() => words(page)).toBe('Dear friend')
  })

  it('variables in a text that arrives in one piece, as from a dictation, become chips too', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.insertText('Dear {{first_name}}, we are in {{city}} again.')
    await expect.poll(() => editor(page).locator('.variable').allTextContents()).toEqual(['first_name', 'city'])
    await page.keyboard.press('Enter')
    await page.keyboard.insertText('Yours,\n{{sender}} of us\n')
    await expect.poll(() => editor(page).locator('.variable').count()).toBe(3)
    await mail(page).getByText('again.').waitFor()
    expect(await mail(page).innerText()).not.toContain('{{')
  })

  it('a chip is undone and redone with what made it, and stays one while more is typed beside it', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('Dear ')
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600))) // Later typing is a step of its own for Undo.
    await page.keyboard.insertText('{{first_name}}')
    await editor(page).locator('.variable').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => words(page)).toBe('Dear')
    await page.keyboard.press('Control+Shift+z')
    await editor(page).locator('.variable').waitFor()
    await page.keyboard.type(', hello')
    await expect.poll(() => editor(page).locator('.variable').allTextContents()).toEqual(['first_name'])
  })

  it('TEXTMODE-11 the tool `{{ }}` in the toolbar opens the list of the variables that exist; the one that is chosen becomes a chip at the caret', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('Hello !')
    await page.keyboard.press('ArrowLeft')
    await tool(page, 'Merge variable').click()
    await page.getByRole('group', { name: 'Merge variables' }).getByRole('button', { name: 'last_name' }).click()
    await expect.poll(() => words(page)).toBe('Hello last_name!')
    await page.keyboard.type(' x')
    await expect.poll(() => words(page)).toBe('Hello last_name x!')
  })

  it('TEXTMODE-13 Formatting a selection that begins or ends inside a variable formats the variable whole, and it is still filled in the mail', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('Hi {{city}} there')
    await editor(page).locator('.variable').waitFor()
    await page.keyboard.press('Control+a')
    await tool(page, 'Bold').click()
    await editor(page).locator('b .variable').waitFor()
    await page.getByLabel('city').first().fill('Porto')
    await expect.poll(() => mail(page).locator('b', { hasText: 'Porto' }).count()).toBeGreaterThan(0)
  })

  it('TEXTMODE-14 A paste from Word or Google Docs keeps paragraphs, bold, links and lists; no script, style sheet or comment of the clipboard is in the message', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    const word =
      '<html><head><style>p.MsoNormal{color:red}</style></head><body><!--StartFragment-->' +
      '<p class=MsoNormal>Dear <b>friends</b>,</p><p class=MsoListParagraphCxSpFirst style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·<span>&nbsp;&nbsp;</span></span>One</p>' +
      '<p class=MsoListParagraphCxSpLast style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·</span>Two</p>' +
      '<script>window.hacked = 1</script><p class=MsoNormal><a href="https://example.com/x">a link</a> <a href="javascript:alert(1)">no link</a></p><!--EndFragment--></body></html>'
    await paste(page, { 'text/html': word, 'text/plain': 'Dear friends' })
    const shown = editor(page)
    await expect.poll(() => shown.locator('li').allTextContents()).toEqual(['One', 'Two'])
    await expect.poll(() => shown.locator('b').allTextContents()).toEqual(['friends'])
    await expect.poll(() => shown.locator('a').allTextContents()).toEqual(['a link'])
    await page.keyboard.press('Control+a')
    const docs =
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">Plain and </span><span style="font-weight:700">strong</span></p>' +
      '<ol><li dir="ltr"><p dir="ltr"><span>First</span></p></li></ol></b>'
    await paste(page, { 'text/html': docs, 'text/plain': 'Plain and strong' })
    await expect.poll(() => shown.locator('ol li').allTextContents()).toEqual(['First'])
    await expect.poll(() => shown.locator('b').allTextContents()).toEqual(['strong'])
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await mail(page).getByText('strong').waitFor()
  })

  it('TEXTMODE-15 Pasted plain text that begins with `<!doctype`, `<html` or `<table` brings the offer "Use as HTML code", and nothing is converted without a click', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    for (const code of ['<!doctype html><p>a</p>', '<html><p>b</p></html>', '<table><tr><td>c</td></tr></table>']) {
      await page.keyboard.press('Control+a')
      await paste(page, { 'text/plain': code })
      await page.getByRole('button', { name: 'Use as HTML code' }).waitFor()
      await expect.poll(() => words(page)).toBe(code)
    }
    await page.getByRole('button', { name: 'Use as HTML code' }).click()
    await expect.poll(() => body(page).inputValue()).toBe('<table><tr><td>c</td></tr></table>')
  })

  it('TEXTMODE-16 A link with another scheme than http, https, mailto or tel is refused with a sentence', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('the shop')
    await page.keyboard.press('Control+a')
    await tool(page, 'Link').click()
    const field = page.getByLabel('Goes to')
    await field.fill('javascript:alert(1)')
    await page.keyboard.press('Enter')
    await page.getByText('A link begins with https://').waitFor()
    expect(await editor(page).locator('a').count()).toBe(0)
    await field.fill('example.com/shop')
    await page.keyboard.press('Enter')
    await expect.poll(() => editor(page).locator('a').getAttribute('href')).toBe('https://example.com/shop')
  })

  it('TEXTMODE-17 A paste of 5 MB gives a sentence, and the text that was there before is unchanged', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('Before')
    await editor(page).evaluate((element) => {
      const clipboard = new DataTransfer()
      clipboard.setData('text/plain', 'x'.repeat(5_000_000))
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true, composed: true }),
      )
    })
    await page.getByText('The text is too long to paste').waitFor()
    expect(await words(page)).toBe('Before')
  })

  it('a paste of 1 MB of nested tables keeps its words, and typing goes on', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('Before ')
    const words = 'The doors open at six.'
    const html = nestedTables.before + words + nestedTables.after
    expect(html.length).toBeGreaterThan(1_000_000)
    await paste(page, { 'text/html': html, 'text/plain': words })
    await editor(page).getByText(words).waitFor()
    await page.keyboard.type(' Come in.')
    await mail(page).getByText('Come in.').waitFor()
    await mail(page).getByText(words).waitFor()
    await mail(page).getByText('Before').waitFor()
  })

  it('a paste with scripts, frames and SVG keeps the words around them, and nothing of these is in the message', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    const html =
      '<p>Dear friend,<script>window.hacked = 1</script></p><iframe src="https://example.com/frame"></iframe>' +
      '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 1"><text>drawn</text></svg>' +
      '<object data="x.swf"></object><p onclick="window.hacked = 1">come <b>in</b>.</p>' +
      '<p><img src="x:" onerror="window.hacked = 1"><a href=" JavaScript:window.hacked=1" onclick="window.hacked = 1">Here</a> and <a href="data:text/html,hacked">there</a>.</p>'
    await paste(page, { 'text/html': html, 'text/plain': 'Dear friend,' })
    await expect.poll(() => words(page)).toMatch(/^Dear friend,\n+(drawn\n+)?come in\.\n+Here and there\.$/)
    await mail(page).getByText('Dear friend,').waitFor()
    expect(await editor(page).locator('a, img').count()).toBe(0)
    expect(await mail(page).innerHTML()).not.toMatch(/<(script|iframe|svg|object|img|a)\b|hacked/i)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  })

  it('TEXTMODE-09 Text mode edits paragraphs, lists, links, images, buttons and tables without showing markup', async () => {
    await using opened = await open()
    const { page } = opened
    await ready(page)
    await page.keyboard.type('First point')
    await tool(page, 'Bullet list').click()
    await editor(page).locator('ul li', { hasText: 'First point' }).waitFor()
    await tool(page, 'Button').click()
    await page.getByLabel('Words on the button').fill('Get tickets')
    await editor(page).getByText('Get tickets').waitFor()
    await editor(page).locator('p').last().click()
    await tool(page, 'Table').click()
    await page.getByLabel('Row 2, column 1').fill('Thursday')
    await editor(page).locator('td', { hasText: 'Thursday' }).waitFor()
    expect(await words(page)).not.toContain('<')
    await mail(page).getByText('Thursday').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('what is sent', () => {
  it('of Text mode is the design, which the server renders, with the preheader', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByLabel('Preheader').fill('Two places are kept')
    await ready(page)
    await page.keyboard.type('Dear friend')
    await page.getByLabel('Subject Line').fill('Hello')
    await page.getByLabel('Recipients', { exact: true }).fill('a@example.com')
    await page.keyboard.press('Enter')
    const inbox = page.getByRole('group', { name: 'In the inbox' })
    await inbox.getByText('Hello').waitFor()
    await inbox.getByText('Two places are kept').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const sent = () => site.received.filter((one) => one.path.startsWith('/email/send-mail/'))
    await expect.poll(() => sent().length).toBe(1)
    const mail = sent()[0]!.body as { design: Design; content?: string; preheader: string }
    expect(mail.content).toBeUndefined()
    expect(mail.preheader).toBe('Two places are kept')
    expect(mail.design.layout).toBe('letter')
    expect(mail.design.rows[0]!.columns[0]!.blocks).toMatchObject([
      { type: 'text', content: [{ content: [{ text: 'Dear friend' }] }] },
    ])
  })
})

describe('on a phone', () => {
  it("TEXTMODE-28 At 390 px labels stand above their fields, 'Launch Message' is fixed at the bottom, and the preview opens as a full screen", async () => {
    await using opened = await open({ viewport: viewports.phone })
    const { page } = opened
    await ready(page)
    for (let line = 0; line < 30; line++) {
      await page.keyboard.type(`Line ${line}`)
      await page.keyboard.press('Enter')
    }
    for (const name of ['From', 'Recipients', 'Subject Line', 'Preheader']) {
      const field = page.getByLabel(name, { exact: true })
      const label = page.locator('.row > label', { hasText: name })
      const [above, below] = [await boxOf(label), await boxOf(field)]
      expect(above.y + above.height, name).toBeLessThanOrEqual(below.y + 1)
    }
    const launch = page.getByRole('button', { name: 'Launch Message' })
    const bottom = async () => {
      const box = await boxOf(launch)
      return 844 - box.y - box.height
    }
    for (const y of [0, 400]) {
      await page.evaluate((top) => scrollTo(0, top), y)
      await expect.poll(bottom).toBeGreaterThanOrEqual(0)
      expect(await bottom()).toBeLessThan(90)
    }
    // What a message to several is stands in the form: neither is it cut, nor does it make the fixed bar higher.
    await page.getByRole('textbox', { name: 'Recipients', exact: true }).fill('ada@example.org, bo@example.org')
    await page.keyboard.press('Enter')
    const kind = page.getByLabel('Kind of message')
    await kind.scrollIntoViewIfNeeded()
    const wordsWidth = await kind.evaluate((select: HTMLSelectElement) => {
      const words = document.createElement('span')
      words.textContent = select.selectedOptions[0]!.text
      Object.assign(words.style, { font: getComputedStyle(select).font, whiteSpace: 'nowrap' })
      select.parentElement!.append(words)
      const { width } = words.getBoundingClientRect()
      words.remove()
      return width
    })
    expect(wordsWidth).toBeLessThan((await boxOf(kind)).width - 20)
    expect((await boxOf(page.locator('.launch-row'))).height).toBeLessThanOrEqual(112)
    await page.evaluate(() => scrollTo(0, 99_999))
    const [create, bar] = [
      await boxOf(page.getByRole('button', { name: 'Create Template' })),
      await boxOf(page.locator('.launch-row')),
    ]
    expect(create.y).toBeGreaterThanOrEqual(bar.y + bar.height)
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Preview' })
    await dialog.getByText('Line 29').waitFor()
    // Once its opening has ended.
    await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })
})

describe('the source', () => {
  it('HTMLMODE-05 The source is shown with highlighting and completes merge variables', async () => {
    await using opened = await open({ path: '/dashboard/send_email?mode=html' })
    const { page } = opened
    await body(page).fill('<p class="x">Dear ')
    await expect.poll(() => page.locator('.body .paint .tag').allTextContents()).toEqual(['<p class="x">'])
    await body(page).press('End')
    await page.keyboard.type('{{las')
    const list = page.getByRole('listbox', { name: 'Merge variables' })
    await list.getByRole('option', { name: 'last_name' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => body(page).inputValue()).toBe('<p class="x">Dear {{last_name}}')
  })

  it("HTMLMODE-06 the tools 'Bold', 'Colour', 'Button' and 'Table' insert their snippet into the source at the caret", async () => {
    await using opened = await open({ path: '/dashboard/send_email?mode=html' })
    const { page } = opened
    const snippets = {
      Bold: '<b>text</b>',
      Colour: '<span style="color: #0f6b4f">text</span>',
      Button: /^<p><a href="https:\/\/example\.com" style="[^"]+">Button<\/a><\/p>$/,
      Table: /^<table [^>]+>[^]+<\/table>$/,
    }
    for (const [name, snippet] of Object.entries(snippets)) {
      await body(page).fill('onetwo')
      await body(page).evaluate((box) => (box as HTMLTextAreaElement).setSelectionRange(3, 3))
      await tool(page, name).click()
      await expect.poll(() => body(page).inputValue()).not.toBe('onetwo')
      const value = await body(page).inputValue()
      expect([value.slice(0, 3), value.slice(-3)]).toEqual(['one', 'two'])
      expect(value.slice(3, -3)).toMatch(snippet)
    }
  })
})

describe('source that is hostile or very large', () => {
  it.each([
    ['1 MB of nested tables', nestedTables.before, nestedTables.after],
    [
      'scripts, frames and SVG',
      '<script>window.hacked = 1</script><iframe src="https://example.com/"></iframe><svg onload="window.hacked = 1"/>',
      '<object data="x.swf"></object><style>@import url(https://example.com/x.css)</style>',
    ],
  ])('%s: its words are shown, and it is kept byte for byte', async (_what, before, after) => {
    await using opened = await open({ path: '/dashboard/send_email?mode=html' })
    const { page } = opened
    const html = `${before}<p>The doors open at six.</p>${after}`
    await body(page).fill(html)
    await mail(page).getByText('The doors open at six.').waitFor()
    await expect.poll(() => body(page).inputValue()).toBe(html)
    expect(await mail(page).innerHTML()).not.toMatch(/<(script|iframe|object)|hacked/i)
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    await page.getByLabel('Subject Line').fill('Doors')
    await page.getByLabel('Recipients', { exact: true }).fill('a@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const sent = () => site.received.filter((one) => one.path.startsWith('/email/send-mail/'))
    await expect.poll(() => sent().length).toBe(1)
    expect((sent()[0]!.body as { content: string }).content === html).toBe(true)
  })
})

describe('the mode switch', () => {
  it('TEXTMODE-01 The switch "Text", "Design", "HTML" is operated by arrow keys and names the current mode to assistive tools', async () => {
    await using opened = await open()
    const { page } = opened
    const modes = page.getByRole('radiogroup', { name: 'Mode' })
    await expect.poll(() => modes.getByRole('radio', { name: 'Text' }).isChecked()).toBe(true)
    await modes.getByRole('radio', { name: 'Text' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => modes.getByRole('radio', { name: 'HTML' }).isChecked()).toBe(true)
  })

  it('TEXTMODE-04 The editing area has the same accessible name in Text, Design and HTML mode', async () => {
    await using opened = await open()
    const { page } = opened
    expect(await body(page).evaluate((element) => element.tagName)).toBe('TEXTAREA')
    await ready(page)
    await expect.poll(() => body(page).count()).toBe(1)
    await expect.poll(() => page.getByRole('textbox', { name: 'Message body', exact: true }).count()).toBe(1)
    await page.getByRole('radio', { name: 'HTML' }).click()
    await editor(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('textbox', { name: 'Message body', exact: true }).count()).toBe(1)
  })

  it('HTMLMODE-01 the address `?mode=html` opens the composer in HTML mode with the source editor', async () => {
    await using opened = await open({ path: '/dashboard/send_email?mode=html' })
    const { page } = opened
    await body(page).fill('<p>Source</p>')
    await expect.poll(() => body(page).inputValue()).toBe('<p>Source</p>')
    await expect.poll(() => page.getByRole('radio', { name: 'HTML' }).isChecked()).toBe(true)
  })

  it('HTMLMODE-08 HTML → Text shows the text that will be kept before it switches, and Undo restores the source', async () => {
    await using opened = await open({ path: '/dashboard/send_email?mode=html' })
    const { page } = opened
    const source = '<table><tr><td>Only <b>words</b></td></tr></table>'
    await body(page).fill(source)
    await page.getByRole('radio', { name: 'Text', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Only words').waitFor()
    await expect.poll(() => body(page).inputValue()).toBe(source)
    await dialog.getByRole('button', { name: 'Switch to Text' }).click()
    await expect.poll(() => words(page)).toBe('Only words')
    await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => body(page).inputValue()).toBe(source)
  })
})
