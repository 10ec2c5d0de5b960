import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeViolations, openPage, useBrowser } from '../support/browser.ts'
import { answerTo, launchTo, receive, repliesOf, sendTo, startReading } from '../support/reading.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()
const browser = await useBrowser()

async function signIn(page: Page, user: TestUser, path: string): Promise<void> {
  await enterDashboard(page, server, user, path)
}

it('REPLIES-19 without any reading mailbox Replies shows one sentence and Turn on reading, which leads to the mailbox', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser)
  const { page } = opened
  await signIn(page, user, '/dashboard/replies')
  await page.getByText('Answers to your mails appear here once a mailbox is read.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Turn on reading' }).click()
  await page.waitForURL('**/dashboard/email_config*')
  await page.getByRole('button', { name: 'Turn on reading' }).waitFor()
})

/** The page of the mailboxes, with the dialog that turns reading on. */
async function openReadingDialog(page: Page) {
  await signIn(page, await createUser(server), '/dashboard/email_config')
  await page.getByRole('button', { name: 'Turn on reading' }).click()
  return page.getByRole('dialog')
}

it('READING-02 the dialog that turns reading on says which folders are read, that nothing is changed, and what is kept', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  const dialog = await openReadingDialog(page)
  await dialog.getByText('INBOX, the junk folder and the sent folder are read from now on.').waitFor()
  await dialog.getByText('Nothing is changed').waitFor()
  await dialog.getByText('Only mails that answer yours are kept').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

it('INBOXSTANDIN-01 reading is turned on for the sandbox mailbox without any account, and its row shows INBOX, Junk and Sent', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  const dialog = await openReadingDialog(page)
  await dialog.getByRole('button', { name: 'Turn on reading' }).click()
  await page.getByText('Reading, new mails within seconds').waitFor()
  await page.getByText('Folders: INBOX, Junk, Sent').waitFor()
})

it('COMPLAINTS-08 the page of a mailbox that is read says which providers report complaints and to whom', async () => {
  await using opened = await openPage(browser)
  const { page } = opened
  await signIn(page, await startReading(server), '/dashboard/email_config')
  await page
    .getByText('Yahoo to owners of a DKIM domain, Microsoft’s programme to owners of an IP address, Gmail not at all')
    .waitFor()
})

/** Replies of the navigation, with the number to read. */
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true })
const row = (page: Page, name: RegExp) => page.locator('.replies-list').getByRole('button', { name })
const suppressed = async (user: TestUser, email: string) => {
  const path = `/email/suppressions?email=${encodeURIComponent(email)}`
  const { body } = await server.call('GET', path, { token: user.token })
  return (body as { reason: string }[]).map(({ reason }) => reason)
}

it('REPLIES-02 the sidebar’s Replies entry shows the number of replies to read: it rises with a reply that arrives and falls when one is marked as read, without a reload and without polling', async () => {
  const user = await startReading(server)
  const recipient = `ines.${user.mailboxId.slice(-6)}@example.com`
  const mail = await sendTo(server, user, recipient, 'Opening night')
  await using opened = await openPage(browser)
  const { page } = opened
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await signIn(page, user, '/dashboard/suppressions')
  await entry(page, 'Replies').waitFor()
  await expect.poll(() => requested).toContain('/email/replies/unread/events')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  requested.length = 0
  receive(server, { from: recipient, subject: 'Re: Opening night', headers: answerTo(mail) })
  await entry(page, 'Replies 1').waitFor({ timeout: 15_000 })
  receive(server, { from: recipient, subject: 'Re: Opening night', headers: answerTo(mail), text: 'And a friend.' })
  await entry(page, 'Replies 2').waitFor({ timeout: 15_000 })
  const [reply] = await repliesOf(server, user.token, 2)
  await server.call('PATCH', `/email/replies/${reply!.id}`, { token: user.token, body: { is_read: true } })
  await entry(page, 'Replies 1').waitFor({ timeout: 15_000 })
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  expect(requested.filter((path) => path.startsWith('/email/replies'))).toEqual([])
})

it('REPLIES-01 REPLIES-02 REPLIES-04 REPLIES-05 REPLIES-16 REPLIES-24 a reply appears as new with name, campaign, first words and time, is read beside the mail as it was sent, and keeps its state over a reload; its words and the answer stand on the timeline of the contact', async () => {
  const user = await startReading(server)
  const recipient = `ines.${user.mailboxId.slice(-6)}@example.com`
  const body = '<p>Come at six, {{ person | default: "friend" }}.</p>'
  const { token } = user
  const made = await server.call('POST', '/email/contacts', { token, body: { email: recipient } })
  const contactPath = `/email/contacts/${(made.body as { id: string }).id}/timeline`
  const { mails } = await launchTo(server, user, [recipient], { subject: 'Opening night', body })
  receive(server, {
    from: `Ines Prado <${recipient}>`,
    subject: 'Re: Opening night',
    headers: answerTo(mails.get(recipient)!),
    text: 'Two places, please.\n\nOn Monday sandbox@localhost wrote:\n> Come at six.',
  })
  await repliesOf(server, user.token, 1)

  await using opened = await openPage(browser)
  const { page } = opened
  await signIn(page, user, '/dashboard/replies')
  await entry(page, 'Replies 1').waitFor()
  const listed = row(page, /^Ines Prado/)
  const time = await listed.locator('time').textContent()
  await listed.filter({ hasText: 'Two places, please.' }).filter({ hasText: 'Opening night' }).waitFor()
  await expect.poll(() => listed.textContent()).toContain('New')
  expect(time).toMatch(/^\d\d:\d\d$/)
  await listed.click()
  const pane = page.getByRole('region', { name: 'Reply', exact: true })
  await pane.getByText('Two places, please.').waitFor()
  await pane.frameLocator('iframe').getByText('Come at six, friend.').waitFor()
  await entry(page, 'Replies').waitFor()
  expect(await axeViolations(page)).toEqual([])

  await page.reload()
  await listed.waitFor()
  await expect.poll(() => listed.textContent()).not.toContain('New')
  await listed.click()
  await page.getByLabel('Answer from sandbox@localhost').fill('They are kept.')
  await page.getByRole('button', { name: 'Send and mark done' }).click()
  await page.getByText('No replies here').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Archived' }).click()
  await listed.filter({ hasText: 'Answered' }).waitFor()
  await listed.click()
  // The answer stands there once it is counted.
  await expect.poll(async () => (await server.call('GET', contactPath, { token })).text).toContain('Re: Opening night')
  await page.getByRole('link', { name: 'Open contact' }).click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('listitem').filter({ hasText: 'Two places, please.' }).waitFor()
  await timeline.getByRole('listitem').filter({ hasText: 'Re: Opening night' }).waitFor()
  const [mail] = server.server.sandboxMailbox!.folders.get('INBOX')!.mails.slice(-1)
  expect([...mail!.flags]).toEqual([])
})

it('INBOXSTANDIN-02 INBOXSTANDIN-04 the sandbox page has four buttons for each mail; a reply appears in Replies, and the answer to it arrives in the sandbox in the same thread', async () => {
  const user = await startReading(server)
  const recipient = `ines.${user.mailboxId.slice(-6)}@example.com`
  const other = `tomas.${user.mailboxId.slice(-6)}@example.com`
  const mail = await sendTo(server, user, recipient, 'Opening night')
  await sendTo(server, user, other, 'Opening night')
  await using opened = await openPage(browser)
  const { page } = opened
  await page.goto(`${server.url}/sandbox`)
  for (const address of [other, recipient]) {
    await openSandboxMail(page, address)
    for (const name of ['Bounce it', 'Reply to it', 'Out of office', 'Call it spam'])
      await page.getByRole('button', { name }).waitFor()
  }
  await page.getByRole('button', { name: 'Reply to it' }).click()
  await page.getByText('It lies in the sandbox mailbox.').waitFor()
  await repliesOf(server, user.token, 1)
  await signIn(page, user, '/dashboard/replies')
  await row(page, /Opening night/).click()
  await page.getByRole('heading', { name: 'Re: Opening night' }).waitFor()
  await page.getByLabel('Answer from sandbox@localhost').fill('Two places are kept for you.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('Your answer').waitFor()
  const [answer] = await server.mailsTo(recipient, 2)
  expect(answer!.subject).toBe('Re: Opening night')
  expect(answer!.text).toContain('Two places are kept for you.')
  expect(answer!.headers['references']).toContain(mail.headers['message-id'])
  expect(answer!.headers['in-reply-to']).toMatch(/^<.+@sandbox\.invalid>$/)
})

/** The report of a campaign to one person, and that person's mail on the page of the sandbox beside it. */
async function openReportBesideSandbox(page: Page, name: string) {
  const user = await startReading(server)
  const recipient = `${name}.${user.mailboxId.slice(-6)}@example.com`
  const { id } = await launchTo(server, user, [recipient])
  await signIn(page, user, `/dashboard/campaigns#${id}`)
  const report = page.getByRole('region', { name: 'Report' })
  await report.getByText('Delivered').first().waitFor()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const sandbox = await page.context().newPage()
  await sandbox.goto(`${server.url}/sandbox`)
  await openSandboxMail(sandbox, recipient)
  return {
    report,
    press: (button: string) => sandbox.getByRole('button', { name: button }).click(),
    suppressed: () => suppressed(user, recipient),
    isSamePage: () => page.evaluate(() => 'isSamePage' in window),
  }
}

it('INBOXSTANDIN-03 the bounce button suppresses the mail’s recipient, and the campaign’s report shows the bounce, without a reload', async () => {
  await using opened = await openPage(browser)
  const beside = await openReportBesideSandbox(opened.page, 'gone')
  await beside.press('Bounce it')
  await beside.report.getByText('1 bounced', { exact: true }).waitFor()
  await expect.poll(beside.suppressed).toEqual(['bounced'])
  expect(await beside.isSamePage()).toBe(true)
})

it('INBOXSTANDIN-05 the out-of-office button gives an auto-reply, and the replied figure stays as it was', async () => {
  await using opened = await openPage(browser)
  const beside = await openReportBesideSandbox(opened.page, 'away')
  await beside.press('Out of office')
  await beside.report.getByText('+ 1 auto-replies').waitFor()
  const replied = beside.report.getByRole('listitem').filter({ hasText: 'Replied' })
  await expect.poll(() => replied.textContent()).toMatch(/^Replied0/)
  expect(await beside.suppressed()).toEqual([])
})

it('INBOXSTANDIN-06 the complaint button suppresses the recipient as complained, and the report shows it', async () => {
  await using opened = await openPage(browser)
  const beside = await openReportBesideSandbox(opened.page, 'angry')
  await beside.press('Call it spam')
  await expect.poll(beside.suppressed).toEqual(['complained'])
  await beside.report
    .getByRole('listitem')
    .filter({ hasText: /^1 called it spam/ })
    .waitFor()
})

async function openSandboxMail(page: Page, recipient: string): Promise<void> {
  await page.getByLabel('Recipient').fill(recipient)
  await expect
    .poll(() => page.locator('.inbox-list li').allTextContents())
    .toEqual([expect.stringContaining(recipient)])
}
