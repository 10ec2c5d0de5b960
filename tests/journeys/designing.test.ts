import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { SavedBlock } from '../../contract/design/saved-block.ts'
import type { Image } from '../../contract/files/image.ts'
import { openPage, useBrowser } from '../support/browser.ts'
import { sampleDesign, sampleRow, textBlock } from '../support/design-samples.ts'
import { photo } from '../support/image-files.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

const server = await useServer({}, { libraryFile: join(import.meta.dirname, '../../dist/library/index.json') })
const browser = await useBrowser()

/** A new user in a browser of their own, at a path. */
async function open(path: string, allowFaults?: RegExp) {
  const user = await createUser(server)
  const opened = await openPage(browser, {
    viewport: { width: 1280, height: 1400 },
    ...(allowFaults && { allowFaults }),
  })
  const { page } = opened
  await page.goto(`${server.url}/login`)
  await page.evaluate((own) => localStorage.setItem('access_token', own), user.token)
  await page.goto(server.url + path)
  return { opened, page, user }
}

const palette = (page: Page) => page.getByRole('region', { name: 'Add a block' })
const add = (page: Page, name: string) => palette(page).getByRole('button', { name, exact: true }).click()
const canvas = (page: Page) => page.getByRole('group', { name: 'Mail', exact: true })
const block = (page: Page, name: string) => canvas(page).getByRole('group', { name, exact: true })
const settings = (page: Page) => page.getByRole('region', { name: 'Settings' })
const preview = (page: Page) => page.getByRole('document', { name: 'Message' })
const namesOf = (page: Page) =>
  page.getByRole('treeitem').evaluateAll((items) => items.map((each) => each.ariaLabel ?? each.textContent))
const imagesOf = async ({ token }: TestUser) => (await server.call('GET', '/email/images', { token })).body as Image[]

/** Writes recipient and subject, and launches. */
async function launch(page: Page, address: string, subject: string): Promise<void> {
  const recipients = page.getByRole('textbox', { name: 'Recipients', exact: true })
  await recipients.fill(address)
  await recipients.press('Enter')
  await page.getByLabel('Subject Line').fill(subject)
  await page.getByRole('button', { name: 'Launch Message' }).click()
}

const plain = (text: string) => text.replace(/[\s\u200c\u034f\u00ad]+/g, ' ').trim()

it("CANVAS-18 the buttons 'Choose Template' and 'Edit in Designer' open a template that was made in Design mode as a design.", async () => {
  const { opened, page, user } = await open('/dashboard/email_config', /Failed to load resource/)
  await using _opened = opened
  const design = sampleDesign([
    sampleRow([
      { id: 'h', type: 'heading', level: 1, content: [{ text: 'Salt and Paper' }] },
      { id: 'b', type: 'button', label: 'Keep my places', href: 'https://example.com/salt' },
    ]),
  ])
  const body = { name: 'Opening', subject: 'Doors open', design }
  await server.call('POST', '/email/template', { token: user.token, body })
  const names = ['Row 1', 'Heading: Salt and Paper', 'Button: Keep my places']

  await page.goto(`${server.url}/dashboard/send_email`)
  await page.getByRole('button', { name: 'Choose Template' }).click()
  await page.getByRole('button', { name: /Opening/ }).click()
  await canvas(page).waitFor()
  await expect.poll(() => namesOf(page)).toEqual(names)
  await expect.poll(() => page.getByRole('radio', { name: 'Design' }).isChecked()).toBe(true)
  await expect.poll(() => page.getByLabel('Subject Line').inputValue()).toBe('Doors open')
  // It is sent as a design: the mail has the HTML that the server renders.
  await launch(page, 'clara@example.org', 'Doors open')
  const [mail] = await server.mailsTo('clara@example.org')
  expect(mail!.text).toContain('https://example.com/salt')

  await page.goto(`${server.url}/dashboard/templates`)
  await page
    .getByRole('list', { name: 'Templates' })
    .getByRole('button', { name: /^Opening/ })
    .click()
  await page.getByRole('button', { name: 'Edit in Designer' }).click()
  await canvas(page).waitFor()
  await expect.poll(() => namesOf(page)).toEqual(names)
})

it('CANVAS-12 A block can be saved under a name and is inserted into another message as a copy; an unknown saved block answers 404 block_not_found.', async () => {
  const { opened, page, user } = await open('/dashboard/send_email?mode=design')
  await using _opened = opened
  const saved = async () => (await server.call('GET', '/email/blocks', { token: user.token })).body as SavedBlock[]
  await add(page, 'Button')
  await settings(page).getByLabel('Words on the button').fill('Keep my places')
  await settings(page).getByLabel('Goes to').fill('https://example.com/salt')
  await settings(page).getByRole('button', { name: 'Save block' }).click()
  await settings(page).getByLabel('Name of the saved block').fill('Places')
  await settings(page).getByLabel('Name of the saved block').press('Enter')
  await palette(page).getByRole('button', { name: 'Places', exact: true }).waitFor()
  await launch(page, 'first@example.org', 'First')
  await server.mailsTo('first@example.org')
  await expect.poll(() => namesOf(page)).toEqual([])

  await palette(page).getByRole('button', { name: 'Places', exact: true }).click()
  await expect.poll(() => namesOf(page)).toEqual(['Row 1', 'Button: Keep my places'])
  await settings(page).getByLabel('Words on the button').fill('Only here')
  await launch(page, 'second@example.org', 'Second')
  const [mail] = await server.mailsTo('second@example.org')
  expect([mail!.text!.includes('Only here'), mail!.text!.includes('https://example.com/salt')]).toEqual([true, true])
  expect(await saved()).toMatchObject([{ name: 'Places', block: { type: 'button', label: 'Keep my places' } }])
  const unknown = '/email/blocks/5f0c1d3e-0000-4000-8000-000000000000'
  for (const method of ['PATCH', 'DELETE']) {
    const answer = await server.call(method, unknown, { token: user.token, body: { name: 'x' } })
    expect([answer.status, answer.body]).toEqual([404, { detail: 'No saved block has this id.' }])
  }
})

it('CANVAS-20 Design → Text names the blocks that will be dropped before it drops them, and Undo restores them.', async () => {
  const { opened, page } = await open('/dashboard/send_email?mode=design')
  await using _opened = opened
  for (const name of ['Heading', 'Social links', 'Spacer', 'Button']) await add(page, name)
  const names = await namesOf(page)
  await page.getByRole('radiogroup', { name: 'Mode' }).getByRole('radio', { name: 'Text' }).click()
  const dialog = page.getByRole('dialog', { name: 'Some blocks will be dropped' })
  await expect
    .poll(() => dialog.getByRole('listitem').allInnerTexts())
    .toEqual(['Social links: Instagram, LinkedIn', 'Spacer'])
  expect(await namesOf(page)).toEqual(names)
  await dialog.getByRole('button', { name: 'Switch to Text' }).click()
  await page.locator('.rich-text').getByText('Your heading').waitFor()
  expect(await page.locator('.rich-text').innerText()).not.toContain('Instagram')
  await page.getByText('Undo', { exact: true }).click()
  await canvas(page).waitFor()
  await expect.poll(() => namesOf(page)).toEqual(names)
})

it('CANVAS-14 The preview as a recipient shows conditional rows as that recipient will get them.', async () => {
  const { opened, page, user } = await open('/dashboard/email_config', /Failed to load resource/)
  await using _opened = opened
  const design = sampleDesign([
    sampleRow([textBlock('a', 'For everybody')]),
    sampleRow([textBlock('b', 'For professionals')], { showIf: { variable: 'plan', operator: 'is', value: 'pro' } }),
  ])
  const body = { name: 'Plans', subject: 'News', design }
  await server.call('POST', '/email/template', { token: user.token, body })
  await page.goto(`${server.url}/dashboard/send_email`)
  await page.getByRole('button', { name: 'Choose Template' }).click()
  await page.getByRole('button', { name: /Plans/ }).click()
  await page.getByLabel('Recipients', { exact: true }).evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'email,plan\npro@example.org,PRO\nfree@example.org,free\n')
    const how = { clipboardData, bubbles: true, cancelable: true, composed: true }
    input.dispatchEvent(new ClipboardEvent('paste', how))
  })
  const shown = async () => plain(await preview(page).innerText())
  for (const [address, text] of [
    ['pro@example.org', 'For everybody For professionals Unsubscribe'],
    ['free@example.org', 'For everybody Unsubscribe'],
  ] as const) {
    await page.getByLabel('Preview as').fill(address)
    await expect.poll(shown).toBe(text)
  }
})

/** Puts a file on a clipboard or under a pointer and dispatches it in a block. */
async function give(
  page: Page,
  name: string,
  kind: 'paste' | 'drop',
  file: { name: string; type: string; data: Buffer },
) {
  const bytes = file.data.toString('base64')
  const at = await block(page, name).boundingBox()
  await block(page, name).evaluate(
    (element, { kind, bytes, name, type, x, y }) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name, { type }))
      const how = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y }
      if (kind === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...how, clipboardData: data }))
      else
        for (const step of ['dragover', 'drop'])
          element.dispatchEvent(new DragEvent(step, { ...how, dataTransfer: data }))
    },
    { kind, bytes, name: file.name, type: file.type, x: at!.x + 20, y: at!.y + 4 },
  )
}

it('IMAGES-01 An image can be put into a message by button, by paste and by drop, and stands where the caret or the insertion line was.', async () => {
  const { opened, page, user } = await open('/dashboard/send_email?mode=design')
  await using _opened = opened
  await add(page, 'Heading')
  await add(page, 'Image')
  await settings(page).getByRole('button', { name: 'Choose an image' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('dialog').getByRole('button', { name: 'Upload images' }).click(),
  ])
  await chooser.setFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo(900, 300, { seed: 1 }) })
  const describe = page.getByRole('dialog', { name: 'Describe the image' })
  await describe.getByLabel('Alternative text').fill('By button')
  await describe.getByRole('button', { name: 'Insert the image' }).click()
  await describe.waitFor({ state: 'detached' })
  await expect.poll(() => namesOf(page)).toEqual(['Row 1', 'Heading: Your heading', 'Image: By button'])

  // While words are edited, after their block.
  await block(page, 'Heading: Your heading').click()
  await block(page, 'Heading: Your heading').press('Enter')
  await give(page, 'Heading: Your heading', 'paste', {
    ...{ name: 'b.jpg', type: 'image/jpeg' },
    data: await photo(800, 200, { seed: 2 }),
  })
  await describe.getByLabel('Alternative text').fill('By paste')
  await describe.getByRole('button', { name: 'Insert the image' }).click()
  await describe.waitFor({ state: 'detached' })
  await expect
    .poll(() => namesOf(page))
    .toEqual(['Row 1', 'Heading: Your heading', 'Image: By paste', 'Image: By button'])

  // The line is above the block under the pointer.
  await give(page, 'Image: By button', 'drop', {
    ...{ name: 'c.jpg', type: 'image/jpeg' },
    data: await photo(700, 100, { seed: 3 }),
  })
  await describe.getByLabel('Alternative text').fill('By drop')
  await describe.getByRole('button', { name: 'Insert the image' }).click()
  await describe.waitFor({ state: 'detached' })
  await expect
    .poll(() => namesOf(page))
    .toEqual(['Row 1', 'Heading: Your heading', 'Image: By paste', 'Image: By drop', 'Image: By button'])
  await launch(page, 'pictures@example.org', 'Pictures')
  const [mail] = await server.mailsTo('pictures@example.org')
  const inMail = [...mail!.html!.matchAll(/<img[^>]*>/g)].map(([tag]) => [
    /src="([^"]*)\/\d+"/.exec(tag)?.[1],
    /alt="([^"]*)"/.exec(tag)?.[1],
  ])
  const stored = await imagesOf(user)
  expect(inMail).toEqual(
    ['By paste', 'By drop', 'By button'].map((alt) => [
      stored.find((one) => one.alt === alt)!.url.replace(/\/\d+$/, ''),
      alt,
    ]),
  )
})

it('IMAGES-02 IMAGES-04 While an image uploads, its progress is shown, and typing goes on; then alternative text is asked for, and the mail carries what was entered.', async () => {
  const { opened, page } = await open('/dashboard/send_email?mode=design')
  await using _opened = opened
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/email\/images(\?|$)/, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await add(page, 'Heading')
  await block(page, 'Heading: Your heading').dblclick()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Salt')
  // Its name follows once the words are left.
  await give(page, 'Heading: Your heading', 'paste', {
    name: 'boat.jpg',
    type: 'image/jpeg',
    data: await photo(900, 300),
  })
  await page.getByRole('progressbar', { name: 'Uploading boat.jpg' }).waitFor()
  await page.keyboard.type(' and Paper')
  await expect.poll(() => namesOf(page)).toEqual(['Row 1', 'Heading: Salt and Paper'])
  await expect.poll(() => page.getByRole('progressbar', { name: 'Uploading boat.jpg' }).count()).toBe(1)
  release()
  const describe = page.getByRole('dialog', { name: 'Describe the image' })
  await describe.getByLabel('Alternative text').fill('A boat in the harbour')
  await describe.getByRole('button', { name: 'Insert the image' }).click()
  await describe.waitFor({ state: 'detached' })
  await expect.poll(() => namesOf(page)).toContain('Image: A boat in the harbour')
  await launch(page, 'boat@example.org', 'A boat')
  const [mail] = await server.mailsTo('boat@example.org')
  expect(mail!.html).toMatch(/<img[^>]*alt="A boat in the harbour"/)
})

it('IMAGES-03 An upload that is refused shows the reason, and the message is unchanged.', async () => {
  const { opened, page } = await open('/dashboard/send_email?mode=design', /422/)
  await using _opened = opened
  await add(page, 'Heading')
  const before = await namesOf(page)
  const html = await preview(page).innerHTML()
  await give(page, 'Heading: Your heading', 'paste', {
    ...{ name: 'logo.svg', type: 'image/svg+xml' },
    data: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  })
  await page.getByRole('alert').filter({ hasText: 'SVG is not shown by most mail programs.' }).waitFor()
  expect(await namesOf(page)).toEqual(before)
  await expect.poll(() => preview(page).innerHTML()).toBe(html)
})

it('VERSIONS-01 VERSIONS-02 VERSIONS-09 templates have names, are found by them, and a duplicate is a template of its own', async () => {
  const { opened, page, user } = await open('/dashboard/email_config', /Failed to load resource/)
  await using _opened = opened
  const { token } = user
  const make = async (body: object) =>
    (await server.call('POST', '/email/template', { token, body })).body as { id: string }
  await make({ name: 'Autumn opening', subject: 'Doors open', body: '<p>One</p>' })
  await make({ subject: 'Dear {{first_name | default: "friend"}}', body: '<p>Two</p>' })
  await page.goto(`${server.url}/dashboard/templates`)
  const list = page.getByRole('list', { name: 'Templates' })
  await list.getByText('Autumn opening').waitFor()
  await list.getByText('Dear friend').waitFor()
  await page.getByRole('button', { name: 'Edit Dear friend' }).waitFor()

  await page.getByRole('searchbox').fill('autumn')
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await list.getByText('Autumn opening').waitFor()

  await page.getByRole('button', { name: 'Duplicate Autumn opening' }).click()
  await list.getByText('Copy of Autumn opening').waitFor()
  await page.getByRole('button', { name: 'Edit Copy of Autumn opening' }).click()
  await page.getByLabel('HTML body').fill('<p>Changed</p>')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByRole('button', { name: 'Saved!' }).waitFor()
  const { body } = await server.call('GET', '/email/templates', { token })
  const found = (body as { name: string; id: string; key: string; body: string }[]).filter(({ name }) => name !== '')
  expect(found.map((one) => [one.name, one.body])).toEqual([
    ['Copy of Autumn opening', '<p>Changed</p>'],
    ['Autumn opening', '<p>One</p>'],
  ])
  expect([new Set(found.map(({ id }) => id)).size, new Set(found.map(({ key }) => key)).size]).toEqual([2, 2])
})
