import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { sampleConfig, sampleMessage } from '../../tests/support/samples.ts'
import { collectToasts, openWidget, testSession, type WidgetPage } from '../../tests/support/widget-page.ts'
import { mountCompose, type ComposeMount } from './compose-element.tsx'
import { keepDrafts, type KeptDraft } from './draft-store.ts'

const accepted = { message: 'Email sent successfully to 1 recipients', id: 'msg_1', accepted: 1, suppressed: 0 }
const second = sampleConfig({ id: 'cfg_2', email_address: 'shop@northwind.example', secret_key: 'ck_second' })
const body = 'Message body, HTML'

let api: ApiServer
let page: WidgetPage
let toasts: ReturnType<typeof collectToasts>
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.received.length = 0
  api.on('listEmailConfigs', { json: [sampleConfig(), second], headers: { 'X-Total-Count': '2' } })
  api.on('sendMailWithKey', { json: accepted })
  api.on('getMessage', { json: sampleMessage({ 'a@example.com': 'sent' }) })
  toasts = collectToasts()
})
afterEach(() => page.leave())

function open(options: ComposeMount['options'] = {}): void {
  const session = testSession(api.url)
  page = openWidget((element) => mountCompose(element, { session, notify: toasts.notify, options }))
}
async function ready(options?: ComposeMount['options']): Promise<void> {
  open(options)
  await page.until(() => page.text().includes('shop@northwind.example'))
}
async function addRecipient(text: string): Promise<void> {
  const before = chips().length
  page.type('Recipients', text)
  page.press(page.field('Recipients'), 'Enter')
  await page.until(() => chips().length > before)
}
async function fill(): Promise<void> {
  page.choose('From', 'ck_second')
  page.type('Subject Line', 'Doors open Thursday')
  page.type(body, 'Dear friend')
  await addRecipient('a@example.com')
  await page.until(() => !launch().disabled)
}
const launch = () => page.root().querySelector<HTMLButtonElement>('button[type=submit]')!
const chips = () => [...page.root().querySelectorAll('.chip > span')].map((chip) => chip.textContent)
const alerts = () => [...page.root().querySelectorAll('[role=alert]')].map((alert) => alert.textContent).join(' ')
const sends = () => api.received.filter((one) => one.path.startsWith('/email/send-mail/'))

describe('the sender', () => {
  it('SEND-23 reads Loading... while configurations load', async () => {
    const answer = Promise.withResolvers<undefined>()
    api.on('listEmailConfigs', async () => {
      await answer.promise
      return { json: [second] }
    })
    open()
    await page.until(() => api.received.length === 1)
    expect(page.field('From').textContent).toBe('Loading...')
    answer.resolve(undefined)
    await page.until(() => page.text().includes('shop@northwind.example'))
  })

  it('SEND-02 SEND-03 offers the configurations, each under its secret key', async () => {
    await ready()
    const options = [...page.select('From').options]
    expect(options.map((option) => option.value)).toEqual(['', 'ck_4f9a7c1e5b2d8f60', 'ck_second'])
    expect(options[2]?.textContent).toBe('shop@northwind.example · gmail')
  })

  it('SEND-24 reads Error loading emails when loading failed, and can try again', async () => {
    api.on('listEmailConfigs', { status: 503, json: { detail: 'The service is starting.' } })
    open()
    await page.until(() => page.field('From').textContent === 'Error loading emails')
    api.on('listEmailConfigs', { json: [second] })
    page.click('Try Again')
    await page.until(() => page.text().includes('shop@northwind.example'))
  })

  it('SEND-25 reads No email configurations found when there are none, and shows the way to one', async () => {
    api.on('listEmailConfigs', { json: [] })
    open({ configsHref: '/dashboard/email_config#add' })
    await page.until(() => page.field('From').textContent === 'No email configurations found')
    expect(page.button('Connect a mailbox').getAttribute('href')).toBe('/dashboard/email_config#add')
  })

  it('does not offer a paused one', async () => {
    api.on('listEmailConfigs', { json: [sampleConfig({ status: 'paused', pause_reason: 'Refused.' }), second] })
    await ready()
    const paused = page.select('From').options[1]
    expect(paused?.disabled).toBe(true)
    expect(paused?.textContent).toContain('paused')
  })
})

describe('the form', () => {
  it('SEND-04 SEND-05 SEND-06 SEND-11 has subject, recipients, body and the launch button', async () => {
    await ready()
    expect(page.field('Subject Line').tagName).toBe('INPUT')
    expect(page.field('Recipients').tagName).toBe('INPUT')
    expect(page.field(body).tagName).toBe('TEXTAREA')
    expect(launch().textContent).toBe('Launch Message')
  })

  it('LIMITS-10 the message body has 10 rows', async () => {
    await ready()
    expect(page.field(body).getAttribute('rows')).toBe('10')
  })

  it.each([
    ['SEND-07 bold', 'Bold', '<b>text</b>'],
    ['SEND-08 colour', 'Colour', '<span style="color: #0f6b4f">text</span>'],
    ['SEND-09 a button', 'Button', '>Button</a></p>'],
    ['SEND-10 a table', 'Table', '<table cellpadding="8" border="1"'],
    ['a merge variable', 'Merge variable', '{{first_name | default: "friend"}}'],
  ])('%s is put in by a snippet button', async (_, name, snippet) => {
    await ready()
    page.click(name)
    await page.until(() => page.field(body).value.includes(snippet))
  })

  it('SEND-40 holds from, subject, messageBody and recipients in its draft', async () => {
    await ready()
    await fill()
    page.click('Launch Message')
    await page.until(() => sends().length === 1)
    expect(sends()[0]?.path).toBe('/email/send-mail/ck_second')
    expect(sends()[0]?.body).toEqual({
      subject: 'Doors open Thursday',
      content: 'Dear friend',
      recipient_list: ['a@example.com'],
      context: {},
    })
  })
})

describe('recipients', () => {
  it('SEND-13 Enter adds the recipient', async () => {
    await ready()
    page.type('Recipients', 'a@example.com')
    page.press(page.field('Recipients'), 'Enter')
    await page.until(() => chips().length === 1)
    expect(chips()).toEqual(['a@example.com'])
    expect(page.field('Recipients').value).toBe('')
  })

  it('SEND-14 the button ADD+ adds the recipient', async () => {
    await ready()
    page.type('Recipients', 'b@example.com')
    page.click('ADD+')
    await page.until(() => chips().length === 1)
  })

  it('SEND-15 SEND-16 are trimmed, and an empty one is not added', async () => {
    await ready()
    page.type('Recipients', '   ')
    page.press(page.field('Recipients'), 'Enter')
    await addRecipient('  a@example.com  ')
    expect(chips()).toEqual(['a@example.com'])
  })

  it('SEND-17 SEND-18 what is no address stays, marked with its reason, and so does a repeated one', async () => {
    await ready()
    await addRecipient('front desk')
    await addRecipient('a@example.com')
    await addRecipient('a@example.com')
    expect(chips()).toEqual(['front desk', 'a@example.com', 'a@example.com'])
    expect(page.root().querySelectorAll('.chip.marked')).toHaveLength(1)
    expect(page.text()).toContain('front desk has more than an address in it')
  })

  it('come from a pasted list', async () => {
    await ready()
    const paste = Object.assign(new Event('paste', { bubbles: true, composed: true, cancelable: true }), {
      clipboardData: { getData: () => 'Name,Email\nAda,a@example.com\nBo,b@example.com' },
    })
    page.field('Recipients').dispatchEvent(paste)
    await page.until(() => chips().length === 2)
    expect(paste.defaultPrevented).toBe(true)
    expect(chips()).toEqual(['a@example.com', 'b@example.com'])
  })

  it('fold when there are many, and unfold', async () => {
    await ready()
    await addRecipient(Array.from({ length: 312 }, (_, at) => `visitor-${at}@example.org`).join(','))
    expect(chips()).toHaveLength(5)
    page.click('+ 307 more')
    await page.until(() => chips().length === 312)
  })

  it('leave by their button and by Backspace', async () => {
    await ready()
    await addRecipient('a@example.com, b@example.com, c@example.com')
    page.click('Remove b@example.com')
    await page.until(() => chips().length === 2)
    page.press(page.field('Recipients'), 'Backspace')
    await page.until(() => chips().length === 1)
    expect(chips()).toEqual(['a@example.com'])
  })
})

describe('the checklist and the launch button', () => {
  const parts: [string, string, () => void | Promise<void>][] = [
    ['SEND-19 SEND-42 the sender', 'Select a sender email', () => page.choose('From', 'ck_second')],
    ['SEND-20 SEND-43 the subject', 'Add a subject line', () => page.type('Subject Line', 'Doors')],
    ['SEND-21 SEND-44 the body', 'Add message content', () => page.type(body, 'Dear friend')],
    ['SEND-22 SEND-45 recipients', 'Add at least one recipient', () => addRecipient('a@example.com')],
  ]

  it.each(parts)('%s: %s is listed, and the button disabled, while it is missing', async (_, sentence) => {
    await ready()
    for (const [, other, doIt] of parts) if (other !== sentence) await doIt()
    await page.until(() => page.root().querySelectorAll('.launch li').length === 1)
    expect(page.text()).toContain(sentence)
    expect(launch().disabled).toBe(true)
    for (const [, other, doIt] of parts) if (other === sentence) await doIt()
    await page.until(() => !launch().disabled)
    expect(page.text()).not.toContain(sentence)
  })

  it.each(['Subject Line', body])('ERRORS-12 launching from %s with something missing says so', async (label) => {
    await ready()
    page.press(page.field(label), 'Enter', { ctrlKey: true })
    await page.until(() => alerts().includes('Please fill all required fields'))
    expect(sends()).toEqual([])
  })

  it('ERRORS-12 Enter in the subject line submits the form', async () => {
    await ready()
    page.press(page.field('Subject Line'), 'Enter')
    await page.until(() => alerts().includes('Please fill all required fields'))
  })
})

describe('launching', () => {
  it('SEND-41 SEND-46 reads Sending... and is disabled while the send is in flight', async () => {
    const answer = Promise.withResolvers<undefined>()
    api.on('sendMailWithKey', async () => {
      await answer.promise
      return { json: accepted }
    })
    await ready()
    await fill()
    page.press(page.field(body), 'Enter', { metaKey: true })
    await page.until(() => launch().textContent === 'Sending...')
    expect(launch().disabled).toBe(true)
    page.press(page.field(body), 'Enter', { metaKey: true })
    answer.resolve(undefined)
    await page.until(() => launch().textContent === 'Launch Message')
    expect(sends()).toHaveLength(1)
  })

  it('SEND-47 SEND-48 SEND-49 shows the alert and clears form and recipients', async () => {
    await ready()
    await fill()
    page.click('Launch Message')
    await page.until(() => alerts().includes('Email sent successfully!'))
    expect(page.select('From').value).toBe('')
    expect(page.field('Subject Line').value).toBe('')
    expect(page.field(body).value).toBe('')
    expect(chips()).toEqual([])
  })

  it('TOASTS-01 tells the page as well, which shows it as a toast', async () => {
    await ready()
    await fill()
    page.click('Launch Message')
    await page.until(() => toasts.toasts.length === 1)
    expect(toasts.toasts).toEqual([{ kind: 'success', text: 'Email sent successfully!' }])
  })

  it('fires sendwright:message-sent from the element once the server accepted it', async () => {
    await ready()
    const details: unknown[] = []
    page.element.addEventListener('sendwright:message-sent', (event) => details.push((event as CustomEvent).detail))
    await fill()
    page.click('Launch Message')
    await page.until(() => details.length === 1)
    expect(details).toEqual([{ id: 'msg_1', accepted: 1 }])
  })

  it('ERRORS-13 a failure shows the banner and the message, and nothing typed is lost', async () => {
    api.on('sendMailWithKey', { status: 502, json: { detail: 'The mail server refused the app password.' } })
    await ready()
    await fill()
    page.click('Launch Message')
    await page.until(() => alerts().includes('Failed to send email'))
    expect(alerts()).toContain('The mail server refused the app password.')
    expect(page.field('Subject Line').value).toBe('Doors open Thursday')
    expect(page.field(body).value).toBe('Dear friend')
    expect(chips()).toEqual(['a@example.com'])
  })

  it('ERRORS-14 a failure without a message reads the plain sentence', async () => {
    api.on('sendMailWithKey', { status: 500, statusText: '', text: '' })
    await ready()
    await fill()
    page.click('Launch Message')
    await page.until(() => alerts().includes('Failed to send email. Please try again.'))
  })

  it('a send without an answer warns that it may have been accepted', async () => {
    api.on('sendMailWithKey', { hangUp: true })
    await ready()
    await fill()
    page.click('Launch Message')
    await page.until(() => alerts().includes('may have been accepted'))
  })

  it('with marked entries asks whether to send to the others', async () => {
    await ready()
    await fill()
    await addRecipient('front desk')
    page.click('Launch Message')
    await page.until(() => page.text().includes('Send to the other 1?'))
    expect(sends()).toEqual([])
    page.click('Send to 1')
    await page.until(() => sends().length === 1)
    expect((sends()[0]?.body as { recipient_list: string[] }).recipient_list).toEqual(['a@example.com'])
  })

  it('takes along what still stands in the recipients box', async () => {
    await ready()
    await fill()
    page.type('Recipients', 'b@example.com')
    page.press(page.field(body), 'Enter', { ctrlKey: true })
    await page.until(() => sends().length === 1)
    expect((sends()[0]?.body as { recipient_list: string[] }).recipient_list).toEqual([
      'a@example.com',
      'b@example.com',
    ])
  })

  it('waits for an entry that is being read when the box is left', async () => {
    await ready()
    page.choose('From', 'ck_second')
    page.type('Subject Line', 'Doors open')
    page.type(body, 'Dear friend')
    page.type('Recipients', 'b@example.com')
    page.field('Recipients').dispatchEvent(new Event('focusout', { bubbles: true, composed: true }))
    page.field('Recipients').dispatchEvent(new Event('blur'))
    page.press(page.field(body), 'Enter', { ctrlKey: true })
    await page.until(() => sends().length === 1)
    expect(alerts()).not.toContain('Please fill')
  })

  it('refuses more recipients than one send takes, before it asks the server', async () => {
    await ready()
    await fill()
    await addRecipient(Array.from({ length: 1000 }, (_, at) => `v${at}@example.org`).join(';'))
    page.click('Launch Message')
    await page.until(() => alerts().includes('at most 1000 recipients, and here are 1001'))
    expect(sends()).toEqual([])
  })

  it('then shows where each recipient stands, until all are settled', async () => {
    let asked = 0
    api.on('getMessage', () => ({ json: sampleMessage({ 'a@example.com': asked++ === 0 ? 'queued' : 'sent' }) }))
    await ready()
    await fill()
    page.click('Launch Message')
    await page.until(() => page.text().includes('Queued'))
    await page.until(() => page.text().includes('Sent to 1 of 1'))
    expect(asked).toBe(2)
  })
})

describe('a draft', () => {
  function storage(kept: KeptDraft | null = null) {
    const place = { kept, read: () => place.kept, write: (draft: KeptDraft | null) => void (place.kept = draft) }
    return place
  }

  it('survives a reload, its sender by id: no secret key is kept', async () => {
    const place = storage()
    await ready({ drafts: keepDrafts(place) })
    await fill()
    page.type('Recipients', 'half an addr')
    page.leave()
    expect(place.kept).toMatchObject({ configId: 'cfg_2', subject: 'Doors open Thursday', messageBody: 'Dear friend' })
    expect(place.kept?.recipients).toEqual(['a@example.com', 'half an addr'])
    expect(JSON.stringify(place.kept)).not.toContain('ck_')

    await ready({ drafts: keepDrafts(place) })
    await page.until(() => chips().length === 2)
    expect(page.select('From').value).toBe('ck_second')
    expect(page.field('Subject Line').value).toBe('Doors open Thursday')
    expect(page.field(body).value).toBe('Dear friend')
  })

  it('says when it was saved, and is forgotten once it is sent', async () => {
    const place = storage()
    await ready({ drafts: keepDrafts(place) })
    await fill()
    await page.until(() => page.text().includes('Draft saved'))
    page.click('Launch Message')
    await page.until(() => alerts().includes('Email sent successfully!'))
    expect(place.kept).toBeNull()
  })
})
