import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeViolations, chooseHtml, connectBrowser, openPage } from '../support/browser.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { startImapWorld, type ImapWorld, type ReadMailbox } from '../support/inbox/imap-world.ts'
import { reply, report, type LeftMail } from '../support/inbox/incoming.ts'
import { usualCapabilities } from '../support/inbox/scripted-imap.ts'

const authentication = 'mx.example.com; spf=pass smtp.mailfrom=example.com; dkim=fail header.d=example.com; dmarc=pass'

let world: ImapWorld
/** The mailbox whose mails to itself arrive in its junk folder; null: none. */
let arrival: ReadMailbox | null = null
let browser: Browser
beforeAll(async () => {
  ;[world, browser] = await Promise.all([
    startImapWorld(
      { MICROSOFT_MAIL_CLIENT_ID: 'test', MICROSOFT_MAIL_CLIENT_SECRET: 'test' },
      {
        onMessage({ to, raw }) {
          if (arrival !== null && to.includes(arrival.address)) {
            const headers = Buffer.from(`Authentication-Results: ${authentication}\r\n`)
            arrival.imap.store.append('Junk', Buffer.concat([headers, raw]), new Date())
          }
          return undefined
        },
      },
    ),
    connectBrowser(),
  ])
})
afterAll(async () => {
  await browser.close()
  await world[Symbol.asyncDispose]()
})

/** Launches a campaign and waits until its mails have left. */
async function launch(mailbox: ReadMailbox, people: readonly string[]): Promise<{ id: string; mails: LeftMail[] }> {
  const { token } = mailbox
  const call = async (method: string, path: string, body: object) => {
    const answer = await world.server.call(method, path, { token, body })
    expect([answer.status, answer.text]).toEqual([
      expect.toSatisfy((status: number) => status < 300),
      expect.anything(),
    ])
    return answer.body as { id: string }
  }
  await call('PATCH', '/workspace', { postal_address: 'Main Street 1, Bristol' })
  const campaign = { name: 'Autumn show', subject: 'Doors open', body: '<p>Come in</p>', config_id: mailbox.id }
  const { id } = await call('POST', '/email/campaign', { ...campaign, recipients: people })
  await call('POST', `/email/campaign/${id}/launch`, {})
  const rawOf = (person: string) => world.sink.mails.find(({ to }) => to.includes(person))?.raw.toString('latin1') ?? ''
  const mails: LeftMail[] = []
  for (const recipient of people) {
    const header = () => /^message-id:\s*(<[^>]+>)/im.exec(rawOf(recipient))?.[1] ?? ''
    await expect.poll(header).not.toBe('')
    mails.push({ recipient, subject: 'Doors open', messageId: header() })
  }
  return { id, mails }
}

const tag = ({ id }: ReadMailbox) => id.slice(-8)

it('BOUNCES-02 BOUNCES-03 BOUNCES-04 BOUNCES-28 BOUNCES-29 BOUNCES-30 the bounce stands with its reason and words on the contact’s timeline, on the recipient in the campaign’s report, and on the message of a single mail; the bounced figure of the campaign rises by one without a reload of the open report, and the delivered figure falls by one; a bounce that says mailbox full (5.2.2) suppresses nobody; the report counts the address among those waiting, with that reason; the recipient’s page tells the reason in a sentence, the server’s words, what was done and why; undo of the suppression on the recipient’s page lets the next mail to the address leave; HTML in a mail server’s words is shown as text', async () => {
  const mailbox = await world.mailbox()
  await mailbox.turnOn()
  const [gone, full, fine] = ['gone', 'full', 'fine'].map((name) => `${name}.${tag(mailbox)}@example.org`) as [
    string,
    string,
    string,
  ]
  const { token } = mailbox
  const contact = await world.server.call('POST', '/email/contacts', { token, body: { email: gone } })
  const { id, mails } = await launch(mailbox, [gone, full, fine])
  await using opened = await openPage(browser)
  const { page } = opened
  await enterDashboard(page, world.server, mailbox, `/dashboard/campaigns#${id}`)
  const figure = async (name: string) => {
    const words = await page.locator('.report-steps > li').filter({ hasText: name }).first().innerText()
    return Number(/\d+/.exec(words.slice(words.indexOf(name) + name.length))?.[0] ?? Number.NaN)
  }
  await expect.poll(() => figure('Delivered')).toBe(3)

  const words = '550 5.1.1 <b>No such user</b><img src=x onerror="document.title=1">'
  mailbox.imap.store.append('INBOX', report(mails[0]!, { words }), new Date())
  await expect.poll(() => figure('Delivered')).toBe(2)
  const why = page.getByRole('region', { name: /^Why 1 bounced/ })
  await why.getByText('No such address').waitFor()

  mailbox.imap.store.append(
    'INBOX',
    report(mails[1]!, { status: '5.2.2', words: '552 5.2.2 mailbox full' }),
    new Date(),
  )
  await page.getByText('1 address is waiting (Mailbox full)').waitFor()
  expect((await mailbox.suppressions()).map(({ email }) => email)).toEqual([gone])

  // The recipient's page.
  await page.getByRole('link', { name: gone }).click()
  await page.getByRole('heading', { name: gone, level: 1 }).waitFor()
  const back = page.getByRole('region', { name: 'What came back' })
  await back.getByText('Bounced after it was sent: No such address.').waitFor()
  await back.getByText(words).waitFor()
  expect(await back.locator('img, blockquote b').count()).toBe(0)
  await back.getByText('The address is suppressed, because nothing can be delivered to it.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await back.getByRole('button', { name: 'Undo the suppression' }).click()
  await back.getByText('The suppression was undone: mails to this address are sent.').waitFor()
  expect(await mailbox.suppressions()).toEqual([])
  const next = await mailbox.send(gone, 'Once more')

  // The message of a single mail.
  mailbox.imap.store.append('INBOX', report(next, { words: '550 5.1.1 Still nobody here' }), new Date())
  await page.goto(`${world.server.url}/dashboard/messages#${/^<([^.]+)/.exec(next.messageId)![1]!}`)
  const single = page.getByRole('region', { name: 'What came back' })
  await single.getByText('550 5.1.1 Still nobody here').waitFor()
  await single.getByText('Bounced after it was sent: No such address.').waitFor()

  // The contact's timeline.
  const timeline = page.getByRole('region', { name: 'Timeline' })
  // It is read when the page opens; the message shows a bounce before it is in the contact's history.
  const openTimeline = async () => {
    await page.goto(`${world.server.url}/dashboard/contacts/${(contact.body as { id: string }).id}`)
    await timeline.getByRole('listitem').first().waitFor()
    return timeline.innerText()
  }
  await expect.poll(openTimeline, { timeout: 40_000 }).toContain('550 5.1.1 Still nobody here')
  await timeline.getByText('No such address').first().waitFor()
})

it('BOUNCES-15 Dashboard names the paused mailbox with the cause in plain words and the steps to take', async () => {
  const mailbox = await world.mailbox()
  await mailbox.turnOn()
  const spam = { status: '5.7.1', words: '550 5.7.1 Message rejected as spam by Content Filtering.' }
  for (const [at, domain] of ['a.example', 'b.example', 'c.example', 'a.example', 'b.example'].entries()) {
    mailbox.imap.store.append('INBOX', report(await mailbox.send(`p${at}.${tag(mailbox)}@${domain}`), spam), new Date())
  }
  await expect
    .poll(async () => {
      const { body } = await world.server.call('GET', '/email/configs', { token: mailbox.token })
      return (body as { id: string; status: string }[]).find(({ id }) => id === mailbox.id)!.status
    })
    .toBe('paused')
  await using opened = await openPage(browser)
  const { page } = opened
  await enterDashboard(page, world.server, mailbox, '/dashboard')
  const row = page.getByRole('listitem').filter({ hasText: mailbox.address })
  await row.getByText(/Several mail servers refused mails within an hour because of this mailbox/).waitFor()
  await row.getByText(/check SPF, DKIM and DMARC of its domain, then resume it/).waitFor()
})

it('READING-05 READING-10 READING-13 READING-14 READING-15 READING-18 the mailbox’s row tells the state in plain words with the start of reading and the time of the last check, and its figures of 30 days; on a server without IMAP the row says so; needs_consent shows one button and a sentence why, and the mailbox goes on sending after its owner declines; a new sign-in asks for the reading scope only if "Read replies and bounces" is ticked; after a refused password the row says what to do', async () => {
  const mailbox = await world.mailbox()
  await using opened = await openPage(browser, { allowFaults: /422|ERR_FAILED|net::/ })
  const { page } = opened
  await enterDashboard(page, world.server, mailbox, '/dashboard/email_config')
  const row = page.getByRole('region', { name: 'Replies and bounces' }).getByRole('listitem', { name: mailbox.address })
  await row.getByText('Not read').waitFor()
  await row.getByRole('button', { name: 'Turn on reading' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('IMAP server').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Turn on reading' }).click()
  await row.getByText(/This mail server offers no IMAP, so its replies and bounces cannot be read/).waitFor()

  mailbox.imap.capabilities = usualCapabilities
  await mailbox.turnOn()
  const left = await mailbox.send()
  mailbox.imap.store.append('INBOX', report(left), new Date())
  await row.getByText(/^Reading, new mails within seconds · since [^·]+ · last checked \d/).waitFor()
  const { since } = await mailbox.reading()
  const sinceTime = row.getByRole('time').first()
  await expect.poll(() => sinceTime.getAttribute('datetime')).toBe(since)
  // Its day too, although it is today.
  const shown = await sinceTime.innerText()
  const [, month, day, year] = new Date(since!).toDateString().split(' ') as [string, string, string, string]
  expect(shown.match(/[a-z]+|\d+/gi)).toEqual(expect.arrayContaining([month, String(Number(day)), year]))
  await row.getByText('30 days: 0 replies, 0 auto-replies, 1 bounces, 0 called it spam').waitFor()

  mailbox.imap.refusal = 'NO [AUTHENTICATIONFAILED] Invalid credentials'
  mailbox.imap.drop()
  await row.getByText('Reading stopped: the mail server refused the password').waitFor()
  await row.getByText(/connect the mailbox again with a new app password/).waitFor()

  await world.server.sql(
    `update email_configs set is_reading = false, reading_state = 'needs_consent', reading_error = 'Sign in there once more to read replies and bounces' where id = $1`,
    [mailbox.id],
  )
  await row.getByText('Reading needs one more permission from the provider; sending goes on').waitFor()
  await row.getByText('Sign in there once more to read replies and bounces').waitFor()
  await expect.poll(() => row.getByRole('button').allTextContents()).toEqual(['Allow reading'])
  expect(await axeViolations(page)).toEqual([])

  // The owner declines there and comes back: the state stays, and the mailbox goes on sending.
  await page.goto(`${world.server.url}/dashboard/email_config?error=access_denied&state=declined`)
  await row.getByText('Reading needs one more permission from the provider; sending goes on').waitFor()
  await mailbox.send()
  expect(await mailbox.reading()).toMatchObject({ is_reading: false, state: 'needs_consent' })

  const form = page.getByRole('form', { name: 'New Config' })
  await form.getByLabel('Email address').fill('ann@outlook.com')
  await form.getByLabel('Provider').selectOption('outlook')
  const asked: string[] = []
  await page.route('https://login.microsoftonline.com/**', (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('scope') ?? '')
    return route.fulfill({ contentType: 'text/html', body: '<title>Microsoft</title>' })
  })
  await form.getByRole('button', { name: 'Sign in with Microsoft' }).click()
  await expect.poll(() => page.title()).toBe('Microsoft')
  await page.goto(`${world.server.url}/dashboard/email_config`)
  await form.getByLabel('Email address').fill('ann@outlook.com')
  await form.getByLabel('Provider').selectOption('outlook')
  await form.getByLabel('Read replies and bounces').check()
  await form.getByRole('button', { name: 'Sign in with Microsoft' }).click()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked.map((scope) => scope.includes('IMAP.AccessAsUser.All'))).toEqual([false, true])
})

it('READING-28 the composer’s self-test shows the folder that its own mail arrived in and its Authentication-Results', async () => {
  const mailbox = await world.mailbox()
  await mailbox.turnOn()
  arrival = mailbox
  await using opened = await openPage(browser)
  const { page } = opened
  await enterDashboard(page, world.server, mailbox, '/dashboard/send_email')
  await page.getByLabel('From').selectOption({ label: `${mailbox.address} · other` })
  await page.getByLabel('Subject Line').fill('Doors open')
  await chooseHtml(page)
  await page.getByLabel('Message body').fill('<p>Come at six.</p>')
  const panel = page.getByRole('region', { name: 'Check before sending' })
  await panel.getByRole('button', { name: 'Check' }).click()
  await panel.getByRole('button', { name: 'Run the self-test' }).click()
  await panel.getByText('The mail arrived in the junk folder Junk.').waitFor()
  await panel.getByText(`Authentication-Results: ${authentication}`).waitFor()
  await panel.getByText('Set up DKIM for the sender’s domain.').waitFor()
})

it('REPLIES-31 with reading on, the replied figure stands on Dashboard, in the campaigns list and among the columns of the recipients list', async () => {
  const mailbox = await world.mailbox()
  const [ann, bob] = [`ann.${tag(mailbox)}@example.org`, `bob.${tag(mailbox)}@example.org`]
  const { id, mails } = await launch(mailbox, [ann, bob])
  await using opened = await openPage(browser)
  const { page } = opened
  const column = page.getByRole('columnheader', { name: 'Replied' })
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await enterDashboard(page, world.server, mailbox, '/dashboard/campaigns')
  await row('Autumn show').waitFor()
  await expect.poll(() => column.count()).toBe(0)

  await mailbox.turnOn()
  await page.reload()
  await column.waitFor()
  const cellOf = async () => {
    const names = await page.getByRole('columnheader').allInnerTexts()
    const at = names.findIndex((name) => name.trim() === 'Replied')
    return (await row('Autumn show').getByRole('cell').allInnerTexts())[at]?.replaceAll(/\s+/g, ' ').trim()
  }
  await expect.poll(cellOf).toBe('0 0%')
  await page.goto(`${world.server.url}/dashboard/campaigns#${id}`)
  await row(bob).waitFor()
  await column.waitFor()

  mailbox.imap.store.append('INBOX', reply(mails[0]!), new Date())
  await expect.poll(async () => (await mailbox.replies()).length).toBe(1)
  await page.goto(`${world.server.url}/dashboard/campaigns`)
  await expect
    .poll(async () => {
      await page.reload()
      await column.waitFor()
      return cellOf()
    })
    .toBe('1 50%')
  await page.goto(`${world.server.url}/dashboard`)
  await page.locator('.home-rates > div').filter({ hasText: 'Replied' }).getByText('50%').waitFor()
})
