import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boxOf, connectBrowser, openPage } from '../support/browser.ts'
import { photo } from '../support/image-files.ts'
import { arrowTo, tabTo } from '../support/keyboard.ts'
import { expectReadable } from '../support/readable-mail.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  const libraryFile = join(import.meta.dirname, '../../dist/library/index.json')
  ;[server, browser] = await Promise.all([startTestServer({}, { libraryFile }), connectBrowser()])
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

/** A new user in a browser of their own, in the composer. */
async function open(allowFaults?: RegExp) {
  const user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  const opened = await openPage(browser, {
    viewport: { width: 1280, height: 1400 },
    ...(allowFaults && { allowFaults }),
  })
  const { page } = opened
  await page.goto(`${server.url}/login`)
  await page.evaluate((own) => localStorage.setItem('access_token', own), user.token)
  return { opened, page, user }
}

/** The composer with its modes and its mailbox. */
async function openComposer(page: Page): Promise<void> {
  await page.goto(`${server.url}/dashboard/send_email`)
  await page.getByRole('radio', { name: 'Design' }).waitFor()
  await page.getByText('sandbox@localhost').first().waitFor({ state: 'attached' })
}

const canvas = (page: Page) => page.getByRole('group', { name: 'Mail', exact: true })
const block = (page: Page, name: string | RegExp) => canvas(page).getByRole('group', { name, exact: true })
const settings = (page: Page) => page.getByRole('region', { name: 'Settings' })
const preview = (page: Page) => page.getByRole('document', { name: 'Message' })
const namesOf = (page: Page) =>
  page.getByRole('treeitem').evaluateAll((items) => items.map((each) => each.ariaLabel ?? each.textContent))
const describeImage = (page: Page) => page.getByRole('dialog', { name: 'Describe the image' })
const plain = (text: string) => text.replace(/[\s\u200c\u034f\u00ad]+/g, ' ').trim()

/** The words that a person reads, without their spacing. */
async function wordsIn(html: string): Promise<string> {
  const page = await browser.newPage()
  await page.setContent(html)
  const text = await page.evaluate(() => document.body.innerText)
  await page.close()
  return plain(text)
}

const file = async (name: string, seed: number) => ({
  ...{ name, mimeType: 'image/jpeg' },
  buffer: await photo(1300, 700, { seed }),
})

interface Reader {
  email: string
  first_name: string
  city: string
  code: string
}
/** Two people whose addresses no other journey uses. */
const readersOf = (journey: string): [Reader, Reader] => [
  { email: `ines.${journey}@example.org`, first_name: 'Ines', city: 'Porto', code: 'a7' },
  { email: `otto.${journey}@example.org`, first_name: 'Otto', city: 'Graz', code: 'b8' },
]

/** A list of two contacts with three fields. */
async function makeList({ token }: TestUser, readers: readonly Reader[]): Promise<void> {
  for (const key of ['city', 'code']) await server.call('POST', '/email/contact-fields', { token, body: { key } })
  const { body: list } = await server.call('POST', '/email/lists', { token, body: { name: 'Readers' } })
  const { id } = list as { id: string }
  for (const { email, ...fields } of readers) {
    const { status } = await server.call('POST', '/email/contacts', { token, body: { email, fields, list_ids: [id] } })
    expect(status).toBe(201)
  }
}

/** Turns the wheel where the pointer is until a part is in sight. */
async function wheelTo(page: Page, part: Locator): Promise<void> {
  const isInSight = async () => {
    const { y, height } = await boxOf(part)
    const bottom = (page.viewportSize()?.height ?? 0) - 40
    if (y >= 0 && y + Math.min(height, 100) <= bottom) return true
    await page.mouse.wheel(0, y < 0 ? -300 : 300)
    return false
  }
  await expect.poll(isInSight, { interval: 50 }).toBe(true)
}

/** Drags from one part to the upper or the lower edge of another, where the insertion line is shown. */
async function drag(page: Page, from: Locator, to: Locator, edge: 'above' | 'below'): Promise<void> {
  const target = await boxOf(to)
  await from.hover({ position: { x: 14, y: 14 } })
  await page.mouse.down()
  await page.mouse.move(target.x + 60, edge === 'above' ? target.y + 4 : target.y + target.height - 4, { steps: 5 })
  await page.locator('.drop-line').waitFor()
  await page.mouse.up()
}

/** The mail of each reader, once it has arrived, with what is his in it. */
async function expectNewsletter(readers: readonly Reader[], shown: string): Promise<void> {
  for (const { email, first_name, city, code } of readers) {
    const [mail] = await server.mailsTo(email)
    expect(mail!.subject).toBe(`News for ${first_name}`)
    expect(mail!.html).toContain(`href="https://example.com/places/${code}"`)
    expect(mail!.html).not.toContain('{{')
    const words = await wordsIn(mail!.html!)
    expect(words).toContain(`Good morning, ${first_name} of ${city}`)
    expect(words).toContain('Main Street 1, Bristol')
    // What was sent is what the preview showed.
    if (shown.includes(`Good morning, ${first_name}`)) expect(words).toBe(shown)
    await expectReadable(browser, server.url, mail!, {
      heading: `Good morning, ${first_name} of ${city}`,
      button: 'Keep my place',
      imageAlt: 'Lamps over the counter',
    })
  }
}

describe('a newsletter from a library template, with a replaced image, an own button and three variables, to a list', () => {
  it('CANVAS-32 A design of a newsletter from a library template, with an own button and three variables, can be built and sent by keyboard alone.', async () => {
    const { opened, page, user } = await open(/Failed to load resource/)
    await using _opened = opened
    const readers = readersOf('keys')
    await makeList(user, readers)
    await openComposer(page)
    const { keyboard } = page
    await page.getByRole('heading', { name: 'Send Email' }).waitFor()

    await tabTo(page, 'Choose Template')
    await keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Choose Template' }).waitFor()
    await tabTo(page, 'Global templates')
    await keyboard.press('Enter')
    await tabTo(page, 'Search templates')
    await keyboard.type('broadsheet')
    await expect.poll(() => page.locator('.template-card').count()).toBe(1)
    await tabTo(page, /broadsheet/i)
    await keyboard.press('Enter')
    await canvas(page).waitFor()
    await expect.poll(async () => (await namesOf(page)).length).toBeGreaterThan(10)

    // The list of blocks: the first heading gets variables of its own.
    await tabTo(page, 'Row 1')
    await arrowTo(page, /^Heading/)
    await keyboard.press('Enter')
    await keyboard.press('Control+a')
    await keyboard.type('Good morning, {{first_name}} of {{city}}')
    await keyboard.press('Escape')
    await expect.poll(() => namesOf(page)).toContain('Heading: Good morning, first_name of city')

    // A button of one's own behind it, with a variable in its address.
    await tabTo(page, 'Button', 'Shift+Tab')
    await keyboard.press('Enter')
    await tabTo(page, 'Words on the button')
    await keyboard.press('Control+a')
    await keyboard.type('Keep my place')
    await tabTo(page, 'Goes to')
    await keyboard.press('Control+a')
    await keyboard.type('https://example.com/places/{{code}}')
    await expect.poll(() => namesOf(page)).toContain('Button: Keep my place')

    // An image, and another one in its place.
    await tabTo(page, 'Image', 'Shift+Tab')
    await keyboard.press('Enter')
    for (const [name, alt, seed] of [
      ['door.jpg', 'The door', 1],
      ['lamps.jpg', 'Lamps over the counter', 2],
    ] as const) {
      await tabTo(page, 'Choose an image')
      await keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Choose an image' }).waitFor()
      await tabTo(page, 'Upload images')
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
      await chooser.setFiles(await file(name, seed))
      const field = describeImage(page).getByLabel('Alternative text')
      await expect.poll(() => field.evaluate((one) => one.matches(':focus'))).toBe(true)
      await keyboard.type(alt)
      await keyboard.press('Enter')
      await describeImage(page).waitFor({ state: 'detached' })
      await expect.poll(() => namesOf(page)).toContain(`Image: ${alt}`)
    }

    await tabTo(page, 'Choose Lists and Segments', 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Send to Readers' }).waitFor()
    await tabTo(page, 'Send to Readers')
    await keyboard.press('Space')
    await tabTo(page, 'Done')
    await keyboard.press('Enter')
    const sources = page.getByRole('list', { name: 'Lists and segments' }).getByRole('listitem')
    await expect.poll(() => sources.allTextContents()).toEqual(['Readers2'])

    await tabTo(page, 'Subject Line')
    await keyboard.press('Control+a')
    await keyboard.type('News for {{first_name}}')
    await expect.poll(() => preview(page).innerText()).toMatch(/Good morning, (Ines|Otto)/)
    const shown = plain(await preview(page).innerText())
    await keyboard.press('Control+Enter')
    const launch = page.getByRole('dialog', { name: 'Launch to 2 recipients' }).getByRole('button', {
      name: 'Launch Campaign',
    })
    await expect.poll(() => launch.isEnabled()).toBe(true)
    await tabTo(page, 'Launch Campaign')
    await keyboard.press('Enter')
    await page.getByText('Sent to 2 of 2').first().waitFor()
    await expectNewsletter(readers, shown)
  })

  it('is built by pointer, with dragged blocks', async () => {
    const { opened, page, user } = await open(/Failed to load resource/)
    await using _opened = opened
    const readers = readersOf('pointer')
    await makeList(user, readers)
    await openComposer(page)
    await page.getByRole('button', { name: 'Choose Template' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose Template' })
    await picker.getByRole('button', { name: 'Global templates' }).click()
    const card = picker.getByRole('button', { name: /broadsheet/i })
    await picker.locator('.template-card').first().hover()
    await wheelTo(page, card)
    await card.click()
    await canvas(page).waitFor()

    const heading = block(page, /^Heading: /).first()
    await wheelTo(page, heading)
    await heading.dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Good morning, {{first_name}} of {{city}}')
    await settings(page).getByRole('heading').first().click()
    await expect.poll(() => namesOf(page)).toContain('Heading: Good morning, first_name of city')

    // An image is dragged from the palette, and another one is put in its place.
    const add = page.getByRole('region', { name: 'Add a block' })
    const lead = block(page, 'Heading: The shop that stays open all night')
    await drag(page, add.getByRole('button', { name: 'Image' }), lead, 'above')
    for (const [name, alt, seed] of [
      ['door.jpg', 'The door', 1],
      ['lamps.jpg', 'Lamps over the counter', 2],
    ] as const) {
      await settings(page).getByRole('button', { name: 'Choose an image' }).click()
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('dialog', { name: 'Choose an image' }).getByRole('button', { name: 'Upload images' }).click(),
      ])
      await chooser.setFiles(await file(name, seed))
      await describeImage(page).getByLabel('Alternative text').fill(alt)
      await describeImage(page).getByRole('button', { name: 'Insert the image' }).click()
      await describeImage(page).waitFor({ state: 'detached' })
      await expect.poll(() => namesOf(page)).toContain(`Image: ${alt}`)
    }
    const order = async () =>
      (await namesOf(page)).filter((name) => /Lamps|Keep my place|stays open all night/.test(name))
    const [image, words, button] = [
      'Image: Lamps over the counter',
      'Heading: The shop that stays open all night',
      'Button: Keep my place',
    ]
    expect(await order()).toEqual([image, words])

    // The button is added after the selected image, and dragged below the heading.
    await add.getByRole('button', { name: 'Button', exact: true }).click()
    await settings(page).getByLabel('Words on the button').fill('Keep my place')
    await settings(page).getByLabel('Goes to').fill('https://example.com/places/{{code}}')
    await expect.poll(order).toEqual([image, button, words])
    await drag(page, block(page, button), lead, 'below')
    await expect.poll(order).toEqual([image, words, button])

    await page.getByRole('button', { name: 'Choose Lists and Segments' }).click()
    await page.getByRole('checkbox', { name: 'Send to Readers' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog', { name: 'Choose recipients' }).waitFor({ state: 'detached' })
    await page.getByLabel('Subject Line').fill('News for {{first_name}}')
    await expect.poll(() => preview(page).innerText()).toMatch(/Good morning, (Ines|Otto)/)
    const shown = plain(await preview(page).innerText())
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await page
      .getByRole('dialog', { name: 'Launch to 2 recipients' })
      .getByRole('button', { name: 'Launch Campaign' })
      .click()
    await page.getByText('Sent to 2 of 2').first().waitFor()
    await expectNewsletter(readers, shown)
  })
})
