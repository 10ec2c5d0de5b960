import { randomUUID } from 'node:crypto'
import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import { clickShown, openPage, useBrowser } from '../support/browser.ts'
import { tabTo } from '../support/keyboard.ts'
import { createUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()
const browser = await useBrowser()

/** A new user in a browser of their own, in the composer with its modes and its mailbox. */
async function open() {
  const user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: 'Main Street 1, Bristol' } })
  const opened = await openPage(browser, { viewport: { width: 1280, height: 1000 } })
  const { page } = opened
  await page.goto(`${server.url}/login`)
  await page.evaluate((own) => localStorage.setItem('access_token', own), user.token)
  await page.goto(`${server.url}/dashboard/send_email`)
  await page.getByRole('radio', { name: 'Text' }).waitFor()
  await page.getByText('sandbox@localhost').first().waitFor({ state: 'attached' })
  return opened
}

/** A file with every byte. */
const plan = {
  name: 'plan für Ines.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    Buffer.from(Array.from({ length: 70_001 }, (_byte, at) => (at * 7 + (at >> 8)) % 256)),
  ]),
}

/** The mail to an address: two paragraphs, the file, and nothing that a newsletter has. */
async function expectPersonal(address: string): Promise<void> {
  const mails = await server.mailsTo(address)
  expect(mails.length).toBe(1)
  const { text, subject, attachments, headers } = await simpleParser(Buffer.from(mails[0]!.raw))
  expect(subject).toBe('The plan for Thursday')
  expect(text?.trimEnd()).toBe('Dear both,\n\nthe plan is attached.')
  expect(attachments.map(({ filename }) => filename)).toEqual([plan.name])
  expect(attachments[0]!.content.equals(plan.buffer)).toBe(true)
  expect(headers.has('list')).toBe(false)
  expect(mails[0]!.html).not.toMatch(/unsubscribe|Main Street|<table/i)
}

describe('a personal text mail with an attachment', () => {
  it('is written, undone, and sent again by keyboard alone', async () => {
    await using opened = await open()
    const { page } = opened
    const { keyboard } = page
    const files = page.getByRole('group', { name: 'Attachments' })
    const person = `ines.${randomUUID().slice(0, 8)}@example.org`
    // Enter in the plain box, which is there until the editor is loaded, begins a line and no paragraph.
    await page.locator('.rich-text').waitFor()
    await tabTo(page, 'Recipients')
    await keyboard.type(person)
    await keyboard.press('Enter')
    await tabTo(page, 'Subject Line')
    await keyboard.type('The plan for Thursday')
    await tabTo(page, 'Message body')
    await keyboard.type('Dear both,')
    await keyboard.press('Enter')
    await keyboard.type('the plan is attached.')
    await page.locator('.rich-text').getByText('the plan is attached.').waitFor()
    await files.getByRole('button', { name: 'Attach files' }).waitFor()
    await tabTo(page, 'Attach files')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
    await chooser.setFiles([plan])
    await files.getByRole('button', { name: `Remove ${plan.name}` }).waitFor()

    await page.evaluate(() => sessionStorage.setItem('sendwright-undo', '60'))
    await tabTo(page, 'Launch Message')
    await keyboard.press('Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'Email sent successfully!' })
    await alert.getByRole('button', { name: 'Undo' }).waitFor()
    await tabTo(page, 'Undo', 'Shift+Tab')
    await keyboard.press('Enter')
    await page.locator('.rich-text').getByText('the plan is attached.').waitFor()
    await files.getByRole('button', { name: `Remove ${plan.name}` }).waitFor()
    await alert.waitFor({ state: 'detached' })

    await page.evaluate(() => sessionStorage.setItem('sendwright-undo', '0'))
    await tabTo(page, 'Launch Message')
    await keyboard.press('Enter')
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject Line' }).inputValue()).toBe('')
    await expectPersonal(person)
    // The undone message has left no mail: its delivery is cancelled for good.
    const states = await server.sql<{ state: string; count: number }>(
      'select d.state, count(*)::int from deliveries d where d.recipient = $1 group by 1 order by 1',
      [person],
    )
    expect(states).toEqual([
      { state: 'cancelled', count: 1 },
      { state: 'sent', count: 1 },
    ])
  })

  it('is written and sent to two people by pointer', async () => {
    await using opened = await open()
    const { page } = opened
    const people = ['ines', 'otto'].map((name) => `${name}.${randomUUID().slice(0, 8)}@example.org`)
    await page.getByRole('textbox', { name: 'Recipients', exact: true }).fill(people.join(', '))
    await page.getByRole('button', { name: 'ADD+' }).click()
    await page.getByLabel('Kind of message').selectOption('personal')
    await page.getByRole('textbox', { name: 'Subject Line' }).fill('The plan for Thursday')
    const editor = page.locator('.rich-text')
    await clickShown(page.getByRole('textbox', { name: 'Message body' }))
    await editor.waitFor()
    await page.keyboard.type('Dear both,')
    await page.keyboard.press('Enter')
    await page.keyboard.type('the plan is attached.')
    // A word is chosen by a double click, and made bold by the tool.
    await editor
      .locator('p')
      .last()
      .dblclick({ position: { x: 8, y: 12 } })
    await page.getByRole('group', { name: 'Snippets' }).getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => editor.locator('b').allTextContents()).toEqual(['the'])

    const files = page.getByRole('group', { name: 'Attachments' })
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      files.getByRole('button', { name: 'Attach files' }).click(),
    ])
    await chooser.setFiles([plan])
    await files.getByRole('button', { name: `Remove ${plan.name}` }).waitFor()
    await page.getByRole('button', { name: 'Launch Message' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject Line' }).inputValue()).toBe('')
    for (const address of people) await expectPersonal(address)
  })
})
