import type { Locator, Page } from 'playwright-core'
import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import { clickShown, openPage, type OpenedPage, type PageOptions, useBrowser } from '../support/browser.ts'
import { waitForStoredDraft } from '../support/drafts.ts'
import { photo } from '../support/image-files.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()
const browser = await useBrowser()

/** A browser of its own, as on another machine, in which the user has signed in. */
async function signIn(user: TestUser, path = '/dashboard/send_email', options: PageOptions = {}): Promise<OpenedPage> {
  const opened = await openPage(browser, options)
  const { page } = opened
  await enterDashboard(page, server, user, path)
  return opened
}

const editor = (page: Page) => page.locator('.rich-text')
const source = (page: Page) => page.getByRole('textbox', { name: 'Message body', exact: true })
const words = async (page: Page) => (await editor(page).innerText()).trimEnd().replaceAll('\u00a0', ' ')
/** Of an image as it was loaded, in pixels; 0 before. */
const widthOf = (image: Locator) => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)
const mail = (page: Page) => page.getByRole('document', { name: 'Message' })
const inTools = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Snippets' }).getByRole('button', { name, exact: true })
const chooseMode = async (page: Page, name: string) => {
  const mode = page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name })
  await mode.click()
  await expect.poll(() => mode.isChecked()).toBe(true)
}
const isMode = (page: Page, name: string) =>
  expect.poll(() => page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name }).isChecked()).toBe(true)

/** Opens the editor of Text mode. */
async function write(page: Page): Promise<void> {
  await clickShown(source(page))
  await editor(page).waitFor()
}

/** Sends what is written to an address and returns the mail. */
async function send(page: Page, to: string, subject = 'A word about Thursday') {
  await page.getByRole('textbox', { name: 'Subject Line' }).fill(subject)
  await page.getByRole('textbox', { name: 'Recipients', exact: true }).fill(to)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Launch Message' }).click()
  // The mail can arrive before the answer to the launch, which empties the form.
  await expect.poll(() => page.getByRole('textbox', { name: 'Subject Line' }).inputValue()).toBe('')
  const arrived = () => server.mailsTo(to).catch(() => [])
  // The launch can be undone for some seconds.
  await expect.poll(async () => (await arrived()).length, { timeout: 60_000 }).toBe(1)
  const raw = Buffer.from((await arrived())[0]!.raw)
  return { raw, ...(await simpleParser(raw)) }
}

/** Opens the picker's way to save a template of what is written. */
async function createTemplate(page: Page, tags: string) {
  await page.getByRole('form', { name: 'Message' }).getByRole('button', { name: 'Create Template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Template' })
  const box = dialog.getByRole('textbox', { name: 'Body' })
  await box.waitFor()
  await dialog.getByRole('textbox', { name: 'Context tags' }).fill(tags)
  return { dialog, box, save: () => dialog.getByRole('button', { name: 'Create Template' }).click() }
}

describe('a mail written in Text mode', () => {
  it('TEXTMODE-18 A mail written in Text mode has no table around its text, and its text part holds the same words and link addresses', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user)
    const { page } = opened
    await write(page)
    await page.keyboard.type('Dear friend,')
    await page.keyboard.press('Enter')
    await page.keyboard.type('the doors open at six: the plan')
    const { length } = 'the plan'
    for (let at = 0; at < length; at++) await page.keyboard.press('Shift+ArrowLeft')
    await inTools(page, 'Link').click()
    await page.getByLabel('Goes to').fill('https://example.com/plan')
    await page.keyboard.press('Enter')
    await mail(page).getByText('the plan').waitFor()
    const { html, text } = await send(page, 'text-18@example.com')
    expect(html).not.toMatch(/<table/i)
    expect(html).toContain('href="https://example.com/plan"')
    expect(text?.trimEnd()).toBe('Dear friend,\n\nthe doors open at six: the plan <https://example.com/plan>')
  })

  it("TEXTMODE-12 A variable's chip opens its default and its preview value; the default is sent to recipients without a value of their own", async () => {
    const user = await createUser(server)
    await using opened = await signIn(user)
    const { page } = opened
    await write(page)
    await page.keyboard.type('Dear {{first_name}},')
    await editor(page).locator('.variable').click()
    const fields = page.getByRole('group', { name: 'Merge variable first_name' })
    await fields.getByLabel('Default').fill('friend')
    await mail(page).getByText('Dear friend,').waitFor()
    await fields.getByLabel('Preview value').fill('Ines')
    await mail(page).getByText('Dear Ines,').waitFor()
    const { text } = await send(page, 'text-12@example.com')
    expect(text?.trimEnd()).toBe('Dear friend,')
  })

  it('an image is pasted, described and sent from an address of this server', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user)
    const { page } = opened
    await write(page)
    await page.keyboard.type('The harbour:')
    await paste(page, editor(page))
    await describeImage(page, 'The harbour at noon')
    await expect
      .poll(async () => (await editor(page).innerHTML()) + opened.faults.join('; '))
      .toContain('alt="The harbour at noon"')
    // The server of this test has no https: the image is shown all the same, for it is our own.
    await expect.poll(() => widthOf(mail(page).getByRole('img', { name: 'The harbour at noon' }))).toBe(1200)
    const { html } = await send(page, 'text-image@example.com')
    expect(html).toMatch(/<img [^>]*src="http[^"]*\/i\/[^"]+\/1200"[^>]*alt="The harbour at noon"/)
  })
})

it('IMAGES-08 An image can be attached inline to the mail in place of a link to its address, and the mail then shows it without a request', async () => {
  for (const mode of ['text', 'html', 'design']) {
    const user = await createUser(server)
    await using opened = await signIn(user, `/dashboard/send_email?mode=${mode}`)
    const { page } = opened
    if (mode === 'text') {
      await write(page)
      await page.keyboard.type('The harbour:')
      await paste(page, editor(page))
    } else if (mode === 'html') {
      await inTools(page, 'Image').waitFor()
      await paste(page, source(page))
    } else {
      await page.getByRole('region', { name: 'Add a block' }).getByRole('button', { name: 'Heading' }).click()
      const canvas = page.getByRole('group', { name: 'Mail', exact: true })
      await paste(page, canvas.getByRole('group', { name: 'Heading: Your heading' }))
    }
    await describeImage(page, 'The harbour', true)
    await mail(page).getByRole('img', { name: 'The harbour' }).waitFor()
    if (mode === 'html') {
      await page.getByRole('button', { name: 'Source as sent' }).click()
      const dialog = page.getByRole('dialog', { name: 'Source as sent' })
      await expect.poll(() => dialog.locator('pre').textContent()).toContain('src="cid:')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
    const { html, attachments } = await send(page, `inline-${mode}@example.com`)
    expect(attachments.map(({ contentType, related }) => [contentType, related])).toEqual([['image/jpeg', true]])
    const [inline] = attachments
    expect(inline!.content.length).toBeGreaterThan(1000)
    // The reader of the mail puts the file in the place of its cid: address; nothing is left to be requested.
    const reader = await browser.newPage()
    const requested: string[] = []
    reader.on('request', (request) => {
      if (request.url().startsWith('http')) requested.push(request.url())
    })
    await reader.setContent(String(html))
    const width = () =>
      reader.locator('img').evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))
    await expect.poll(width).toBe(1200)
    await reader.close()
    expect(requested).toEqual([])
    await page.goto(`${server.url}/sandbox`)
    const inSandbox = page.frameLocator('.inbox-mail iframe').getByRole('img', { name: 'The harbour' })
    await expect.poll(() => widthOf(inSandbox)).toBe(1200)
  }
})

/** Pastes a photo, as from the clipboard of a camera's program. */
async function paste(page: Page, place: ReturnType<Page['locator']>, kind: 'paste' | 'drop' = 'paste'): Promise<void> {
  const bytes = [...(await photo(1300, 700))]
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(given)], 'harbour.jpg', { type: 'image/jpeg' }))
    return transfer
  }, bytes)
  await place.evaluate(
    (element, { kind, data }) => {
      const init = { bubbles: true, cancelable: true, composed: true }
      element.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data }),
      )
    },
    { kind, data },
  )
}

async function describeImage(page: Page, alt: string, isAttached = false): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Describe the image' })
  await dialog.getByLabel('Alternative text').fill(alt)
  if (isAttached) await dialog.getByLabel('Attach it to the mail').check()
  await dialog.getByRole('button', { name: 'Insert the image' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

describe('the source of HTML mode', () => {
  it('takes an image that is dropped, at the caret, as code', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user, '/dashboard/send_email?mode=html')
    const { page } = opened
    await source(page).fill('<p></p>')
    await source(page).evaluate((box) => (box as HTMLTextAreaElement).setSelectionRange(3, 3))
    await inTools(page, 'Image').waitFor()
    await paste(page, source(page), 'drop')
    await describeImage(page, 'A "quiet" day')
    await expect
      .poll(() => source(page).inputValue())
      .toMatch(
        /^<p><img src="http[^"]*\/i\/[^"]+\/1200" alt="A &#34;quiet&#34; day" width="600" style="border: 0; height: auto; max-width: 100%"><\/p>$/,
      )
    await mail(page).locator('img').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => source(page).inputValue()).toBe('<p></p>')
  })

  it('HTMLMODE-12 A body with a NUL character answers 422 with the character’s offset, and the text in the editor stays', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user, '/dashboard/send_email?mode=html', { allowFaults: /422/ })
    const { page } = opened
    await source(page).fill('<p>be\u0000fore</p>')
    const held = await source(page).inputValue()
    expect(held).toContain('\u0000')
    await page.getByRole('textbox', { name: 'Subject Line' }).fill('Doors')
    await page.getByRole('textbox', { name: 'Recipients', exact: true }).fill('nul@example.com')
    await page.keyboard.press('Enter')
    const answer = page.waitForResponse((response) => response.url().includes('/email/send-mail/'))
    await page.getByRole('button', { name: 'Launch Message' }).click()
    const response = await answer
    expect(response.status()).toBe(422)
    expect(JSON.stringify(await response.json())).toContain('character 6')
    await page.getByRole('alert').filter({ hasText: 'character 6' }).waitFor()
    await expect.poll(() => source(page).inputValue()).toBe(held)
  })
})

it("HTMLMODE-04 the view 'Source as sent' shows the message as it leaves; without tracking it differs from the source in line ends, filled variables and the bulk footer only", async () => {
  const user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  await using opened = await signIn(user, '/dashboard/send_email?mode=html')
  const { page } = opened
  const lines = [
    '<p>Dear {{first_name | default: "friend"}},</p>',
    '<!-- kept -->',
    '<p  class=x>the "doors" &amp; more</p>',
  ]
  await source(page).fill(lines.join('\n'))
  const read = async () => {
    await expect
      .poll(async () => (await page.getByRole('region', { name: 'Preview' }).innerText()) + opened.faults.join('; '))
      .toContain('Source as sent')
    await page.getByRole('button', { name: 'Source as sent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Source as sent' })
    const shown = await dialog.locator('pre').textContent()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    return shown
  }
  const filled = lines.join('\r\n').replace('{{first_name | default: "friend"}}', 'friend')
  expect(await read()).toBe(filled)
  const { raw } = await send(page, 'source-04@example.com')
  // The last part of the mail is its HTML, encoded for the way.
  const part = raw
    .toString('latin1')
    .split(/\r\n--[^\r]+/)
    .find((one) => /content-type: text\/html/i.test(one))!
  const [, encoded] = /\r\n\r\n([^]*)$/.exec(part)!
  const decoded = encoded!
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  expect(decoded.trimEnd()).toBe(filled)

  await source(page).fill(lines.join('\n'))
  await page.getByRole('textbox', { name: 'Recipients', exact: true }).fill('a@example.com, b@example.com')
  await page.keyboard.press('Enter')
  const bulk = (await read())!
  expect(bulk.startsWith(filled)).toBe(true)
  const footer = bulk.slice(filled.length)
  expect(
    footer
      .replace(/<[^<>]*>/g, ' ')
      .split(/\s+/)
      .join(' ')
      .trim(),
  ).toBe('Main Street 1, Bristol Unsubscribe')
})

describe('the fields of a message', () => {
  it("TEXTMODE-19 The preheader is shown beside subject and From name in the preview's inbox line, and is the first text of the mail's body without being visible there", async () => {
    const user = await createUser(server)
    await using opened = await signIn(user)
    const { page } = opened
    await write(page)
    await page.keyboard.type('Dear friend, the doors open at six.')
    await page.getByRole('textbox', { name: 'Preheader' }).fill('Two seats are kept for you')
    await page.getByRole('button', { name: 'From name' }).click()
    await page.getByRole('textbox', { name: 'From name' }).fill('Northwind Galleries')
    await page.getByRole('textbox', { name: 'Subject Line' }).fill('Doors open')
    const line = page.getByRole('group', { name: 'In the inbox' })
    for (const shown of ['Northwind Galleries', 'Doors open', 'Two seats are kept for you']) {
      await line.getByText(shown).waitFor()
    }
    const { html, text, from } = await send(page, 'text-19@example.com', 'Doors open')
    expect(from?.text).toContain('Northwind Galleries')
    expect(text).not.toContain('Two seats')
    const reader = await browser.newPage()
    await reader.setContent(String(html))
    const { all, visible } = await reader.evaluate(() => ({
      all: document.body.textContent.trim(),
      visible: document.body.innerText.trim(),
    }))
    await reader.close()
    expect(all.startsWith('Two seats are kept for you')).toBe(true)
    expect(visible).toBe('Dear friend, the doors open at six.')
  })

  it('TEXTMODE-25 After a reload the draft has the same mode, text, subject, preheader, From name, Reply-To, cc, bcc and recipients', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user)
    const { page } = opened
    await isMode(page, 'Text')
    await write(page)
    // The other mode is the one that the person chose last, in another message; the page has read the user by now.
    await server.call('PATCH', '/auth/user', { token: user.token, body: { preferences: { composer_mode: 'html' } } })
    await page.keyboard.type('Dear friend')
    const written = {
      'Subject Line': 'Doors open',
      Preheader: 'Two seats',
      'From name': 'Northwind Galleries',
      'Reply-To': 'answers@example.com',
      Cc: 'copy@example.com',
      Bcc: 'hidden@example.com',
    }
    const field = (name: string) => page.getByRole('textbox', { name, exact: true })
    for (const [name, value] of Object.entries(written)) {
      const opener = page.getByRole('group', { name: 'Further fields' }).getByRole('button', { name, exact: true })
      if ((await field(name).count()) === 0) await opener.click()
      await field(name).fill(value)
    }
    await field('Recipients').fill('ada@example.com, bo@example.com')
    await field('Recipients').press('Enter')
    await waitForStoredDraft(server, user, 'bo@example.com')

    const isSame = async () => {
      await isMode(page, 'Text')
      await expect.poll(() => words(page)).toBe('Dear friend')
      for (const [name, value] of Object.entries(written)) await expect.poll(() => field(name).inputValue()).toBe(value)
      for (const address of ['ada@example.com', 'bo@example.com'])
        await page.getByRole('form', { name: 'Message' }).getByText(address, { exact: true }).waitFor()
    }
    await page.reload()
    await isSame()
    // From the server alone too, as in another browser.
    await page.evaluate(() => {
      const token = localStorage.getItem('access_token')!
      localStorage.clear()
      localStorage.setItem('access_token', token)
    })
    await page.goto(`${server.url}/dashboard`)
    await page.goto(`${server.url}/dashboard/send_email`)
    await isSame()
  })
})

describe('modes', () => {
  it('TEXTMODE-02 The composer opens in Text mode for a new account, and afterwards in the mode that the person chose last, also in another browser', async () => {
    const user = await createUser(server)
    await using here = await signIn(user)
    await isMode(here.page, 'Text')
    await chooseMode(here.page, 'HTML')
    await expect
      .poll(async () => {
        const { body } = await server.call('GET', '/auth/user', { token: user.token })
        return (body as { preferences?: { composer_mode?: string } }).preferences?.composer_mode
      })
      .toBe('html')
    await using there = await signIn(user)
    await isMode(there.page, 'HTML')
  })

  it("HTMLMODE-13 The 'Create Template' dialog shows the body read-only in Text and Design mode, and the template that it makes opens as a design", async () => {
    const user = await createUser(server)
    await using opened = await signIn(user)
    const { page } = opened
    await page.getByRole('textbox', { name: 'Subject Line' }).fill('Doors open')
    await write(page)
    await page.keyboard.type('Dear {{first_name}}, come in.')
    await editor(page).locator('.variable').waitFor()
    const { dialog, box, save } = await createTemplate(page, 'first_name')
    await expect.poll(() => box.inputValue()).toBe('Dear {{first_name}}, come in.')
    expect(await box.evaluate((element) => (element as HTMLTextAreaElement).readOnly)).toBe(true)
    await save()
    await dialog.waitFor({ state: 'hidden' })

    await chooseMode(page, 'Design')
    const inDesign = await createTemplate(page, 'first_name')
    expect(await inDesign.box.evaluate((element) => (element as HTMLTextAreaElement).readOnly)).toBe(true)
    await expect.poll(() => inDesign.box.inputValue()).toBe('Dear {{first_name}}, come in.')
    await inDesign.dialog.getByRole('textbox', { name: 'Subject' }).fill('Doors open, as blocks')
    await inDesign.save()
    await inDesign.dialog.waitFor({ state: 'hidden' })

    const { body } = await server.call('GET', '/email/templates', { token: user.token })
    expect((body as { mode: string }[]).map(({ mode }) => mode).sort()).toEqual(['design', 'text'])
    await chooseMode(page, 'HTML')
    const pick = async (name: RegExp) => {
      await page.getByRole('button', { name: 'Choose Template' }).first().click()
      await page.getByRole('dialog', { name: 'Choose Template' }).getByRole('button', { name }).click()
    }
    await pick(/^Doors open, as blocks/)
    await isMode(page, 'Design')
    await pick(/^Doors open Doors open/)
    await isMode(page, 'Text')
    await editor(page).waitFor()
    expect(await words(page)).toBe('Dear first_name, come in.')
  })

  it('TEXTMODE-23 Switching modes while offline loses nothing: a mode that cannot be opened says why, and the message stays as it is', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user, '/dashboard/send_email', {
      allowFaults: /Failed to load resource|ERR_|WebSocket|import/,
      isNew: true,
    })
    const { page } = opened
    await write(page)
    await page.keyboard.type('Written before')
    await page.getByText('Draft saved').waitFor()
    // The parts of the form that come last.
    await inTools(page, 'Italic').waitFor()
    await page.getByRole('button', { name: 'Attach files' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Design' }).click()
    await page.getByText('The connection was lost. Check it and try again.').first().waitFor()
    await isMode(page, 'Text')
    expect(await words(page)).toBe('Written before')
    await page.keyboard.press('Escape')
    await page.context().setOffline(false)
  })

  it('TEXTMODE-03 A draft, template or campaign opens in its own mode, whatever the person chose last', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user)
    const { page } = opened
    await write(page)
    await page.keyboard.type('A letter')
    await page.getByText('Draft saved').waitFor()
    await waitForStoredDraft(server, user, 'A letter')
    // Elsewhere the person chose another mode last.
    await server.call('PATCH', '/auth/user', {
      token: user.token,
      body: { preferences: { composer_mode: 'html' } },
    })
    await using there = await signIn(user)
    await isMode(there.page, 'Text')
    await expect.poll(() => words(there.page)).toBe('A letter')
  })
})

describe('a draft', () => {
  it('TEXTMODE-24 While the connection is gone, typing goes on and the draft’s state says that it is offline; once it is back the draft is saved without a click', async () => {
    const user = await createUser(server)
    await using opened = await signIn(user, '/dashboard/send_email', {
      allowFaults: /Failed to load resource|ERR_|WebSocket/,
    })
    const { page } = opened
    await write(page)
    await page.keyboard.type('Before')
    await page.getByText('Draft saved').waitFor()
    await page.context().setOffline(true)
    await page.keyboard.type(' and while offline')
    await page.getByText('Offline.').waitFor()
    await page.keyboard.type(', still typing')
    await expect.poll(() => words(page)).toBe('Before and while offline, still typing')
    await page.context().setOffline(false)
    await page.getByText('Draft saved').waitFor()
    await waitForStoredDraft(server, user, 'still typing')
  })

  it('TEXTMODE-26 If a draft was changed in a second tab or another browser, the composer says so, and both versions can still be opened', async () => {
    const user = await createUser(server)
    await using here = await signIn(user)
    await write(here.page)
    await here.page.keyboard.type('First')
    await here.page.getByText('Draft saved').waitFor()
    await waitForStoredDraft(server, user, 'First')
    await using there = await signIn(user)
    await expect.poll(() => words(there.page)).toBe('First')
    await editor(there.page).click()
    await there.page.keyboard.press('Control+End')
    await there.page.keyboard.type(' of there')
    await there.page.getByText('Draft saved').waitFor()
    await waitForStoredDraft(server, user, 'of there')
    await editor(here.page).click()
    await here.page.keyboard.press('Control+End')
    await here.page.keyboard.type(' of here')
    await here.page.getByText('Another version of this draft').waitFor()
    await here.page.getByRole('button', { name: 'Show it' }).click()
    await expect.poll(() => words(here.page)).toBe('First of there')
    await here.page.getByRole('button', { name: 'Show it' }).click()
    await expect.poll(() => words(here.page)).toBe('First of here')
  })
})
