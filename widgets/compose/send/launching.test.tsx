import { describe, expect, it } from 'vitest'
import { accepted, body, composeBench } from '../../../tests/support/compose-bench.ts'
import { progressEvents } from '../../../tests/support/progress-events.ts'
import { sampleMessage } from '../../../tests/support/samples.ts'

const bench = composeBench()

describe('launching', () => {
  it('SEND-41 SEND-46 shows Sending... and is disabled while the send is in flight', async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('sendMailWithKey', async () => {
      await answer.promise
      return { json: accepted }
    })
    await bench.ready()
    await bench.fill()
    bench.page.press(bench.page.field(body), 'Enter', { metaKey: true })
    await bench.page.until(() => bench.launch().textContent === 'Sending...')
    expect(bench.launch().disabled).toBe(true)
    bench.page.press(bench.page.field(body), 'Enter', { metaKey: true })
    answer.resolve(undefined)
    await bench.page.until(() => bench.launch().textContent === 'Launch Message')
    expect(bench.sends()).toHaveLength(1)
  })

  it('SEND-47 SEND-48 SEND-49 shows the alert and clears form and recipients', async () => {
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('Email sent successfully!'))
    expect(bench.page.select('From').value).toBe('')
    expect(bench.page.field('Subject Line').value).toBe('')
    expect(bench.page.field(body).value).toBe('')
    expect(bench.chips()).toEqual([])
  })

  it('keeps what is typed between the launch and its answer', async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('sendMailWithKey', async () => {
      await answer.promise
      return { json: accepted }
    })
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.launch().textContent === 'Sending...')
    bench.page.type('Subject Line', 'The next one')
    await bench.addRecipient('b@example.com')
    answer.resolve(undefined)
    await bench.page.until(() => bench.alerts().includes('Email sent successfully!'))
    expect(bench.page.field('Subject Line').value).toBe('The next one')
    expect(bench.page.field(body).value).toBe('')
    expect(bench.chips()).toEqual(['b@example.com'])
  })

  it('TOASTS-01 dispatches an event to the page as well, which shows it as a toast', async () => {
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.toasts).toEqual([{ kind: 'success', text: 'Email sent successfully!' }])
  })

  it('fires sendwright:message-sent from the element once the server accepted it', async () => {
    await bench.ready()
    const details: unknown[] = []
    bench.page.element.addEventListener('sendwright:message-sent', (event) =>
      details.push((event as CustomEvent).detail),
    )
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => details.length === 1)
    expect(details).toEqual([{ id: 'msg_1', kind: 'message', accepted: 1 }])
  })

  it('ERRORS-13 a failure shows the banner and the message, and keeps the input', async () => {
    bench.api.on('sendMailWithKey', { status: 502, json: { detail: 'The mail server refused the app password.' } })
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('Failed to send email'))
    expect(bench.alerts()).toContain('The mail server refused the app password.')
    expect(bench.page.field('Subject Line').value).toBe('Doors open Thursday')
    expect(bench.page.field(body).value).toBe('Dear friend')
    expect(bench.chips()).toEqual(['a@example.com'])
  })

  it('ERRORS-14 a failure without a message shows the default text', async () => {
    bench.api.on('sendMailWithKey', { status: 500, statusText: '', text: '' })
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('Failed to send email. Please try again.'))
  })

  it('a send without a response warns that it may have been accepted', async () => {
    bench.api.on('sendMailWithKey', { hangUp: true })
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('may have been accepted'))
  })

  it('H35 launched again after a lost response it is the same call to the server, and another one after success', async () => {
    bench.api.on('sendMailWithKey', { hangUp: true })
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('may have been accepted'))
    bench.api.on('sendMailWithKey', { json: accepted })
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('Email sent successfully!'))
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 3)
    const [lost, again, next] = bench.sends().map(({ headers }) => headers['idempotency-key'])
    expect(lost).toMatch(/^[0-9a-f]{32}$/)
    expect(again).toBe(lost)
    expect(next).not.toBe(lost)
  })

  it('with invalid entries asks for confirmation to send to the others', async () => {
    await bench.ready()
    await bench.fill()
    await bench.addRecipient('front desk')
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('Send to the other 1?'))
    expect(bench.sends()).toEqual([])
    bench.page.click('Send to 1')
    await bench.page.until(() => bench.sends().length === 1)
    expect((bench.sends()[0]?.body as { recipient_list: string[] }).recipient_list).toEqual(['a@example.com'])
  })

  it('SEND-18 counts a duplicate recipient once, previews one mail, and sends one', async () => {
    await bench.ready()
    await bench.fill()
    await bench.addRecipient('b@example.com, A@Example.com')
    await bench.page.until(() => bench.page.text().includes('1 of 2'))
    expect(bench.page.root().querySelector('.launch-notes')?.textContent).toBe('2 recipients')
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 1)
    expect((bench.sends()[0]?.body as { recipient_list: string[] }).recipient_list).toEqual([
      'a@example.com',
      'b@example.com',
    ])
  })

  it('reports a repeated invalid entry once', async () => {
    await bench.ready()
    await bench.fill()
    await bench.addRecipient('a@example.com\nfront desk\nFront desk')
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('One entry is not an address'))
    expect(bench.page.text()).toContain('Send to the other 1?')
  })

  it('includes pending input of the recipients box', async () => {
    await bench.ready()
    await bench.fill()
    bench.page.type('Recipients', 'b@example.com')
    bench.page.press(bench.page.field(body), 'Enter', { ctrlKey: true })
    await bench.page.until(() => bench.sends().length === 1)
    expect((bench.sends()[0]?.body as { recipient_list: string[] }).recipient_list).toEqual([
      'a@example.com',
      'b@example.com',
    ])
  })

  it('waits for an entry that is parsed on blur', async () => {
    await bench.ready()
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'Doors open')
    bench.page.type(body, 'Dear friend')
    bench.page.type('Recipients', 'b@example.com')
    bench.page.field('Recipients').dispatchEvent(new Event('focusout', { bubbles: true, composed: true }))
    bench.page.field('Recipients').dispatchEvent(new Event('blur'))
    bench.page.press(bench.page.field(body), 'Enter', { ctrlKey: true })
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.alerts()).not.toContain('Please fill')
  })

  it('asks for confirmation before it leaves a merge variable empty, with the recipient count', async () => {
    await bench.ready()
    await bench.fill()
    bench.page.type(body, 'Dear {{name}}, {{city | default: "there"}}')
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('{{name}} for every recipient'))
    expect(bench.page.text()).not.toContain('{{city}} for')
    expect(bench.sends()).toEqual([])
    bench.page.click('Send to 1')
    await bench.page.until(() => bench.sends().length === 1)
  })

  it('sends one recipient’s own values with the message', async () => {
    await bench.ready()
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'For {{name}}')
    bench.page.type(body, 'Dear {{name}}')
    bench.paste('name,email\nAda,a@example.com')
    await bench.page.until(() => bench.chips().length === 1)
    bench.page.press(bench.page.field(body), 'Enter', { ctrlKey: true })
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.sends()[0]?.body).toMatchObject({ recipient_list: ['a@example.com'], context: { name: 'Ada' } })
  })

  it('then shows the state of each recipient, live, until all are settled', async () => {
    let asked = 0
    const states = ['queued', 'sent'] as const
    bench.api.on('watchMessage', () => progressEvents(sampleMessage({ 'a@example.com': states[asked++] ?? 'sent' })))
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('Queued'))
    await bench.page.until(() => bench.page.text().includes('Sent to 1 of 1'))
    expect(asked).toBe(2)
  })

  it('offers a retry of failed deliveries, with the mail server’s reply', async () => {
    const failed = sampleMessage({ 'a@example.com': 'sent', 'b@example.com': 'failed' })
    bench.api.on('watchMessage', progressEvents(failed))
    bench.api.on('retryMessage', () => {
      bench.api.on('watchMessage', progressEvents(sampleMessage({ 'a@example.com': 'sent', 'b@example.com': 'sent' })))
      return { json: { message: 'Sent.', resent: 1, suppressed: 0 } }
    })
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.text().includes('550 5.1.1 No such user'))
    await bench.page.until(() => bench.page.button('Retry 1 failed'))
    bench.page.click('Retry 1 failed')
    await bench.page.until(() => bench.page.text().includes('Sent to 2 of 2'))
  })

  it('lists the recipients that a retry drops, with a link to the suppression list if the page has one', async () => {
    const failed = sampleMessage({ 'a@example.com': 'failed', 'b@example.com': 'failed' })
    bench.api.on('watchMessage', progressEvents(failed))
    const message = 'All 2 are on your list of suppressions'
    bench.api.on('retryMessage', { json: { message, resent: 0, suppressed: 2 } })
    await bench.ready({ suppressionsHref: '/dashboard/suppressions' })
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.button('Retry 2 failed'))
    bench.page.click('Retry 2 failed')
    await bench.page.until(() => bench.alerts().includes(message))
    const link = [...bench.page.root().querySelectorAll('a')].find((one) => one.textContent === 'See the list')
    expect(link?.getAttribute('href')).toBe('/dashboard/suppressions')
  })

  it('filters the recipients by state', async () => {
    bench.api.on('watchMessage', progressEvents(sampleMessage({ 'a@example.com': 'sent', 'b@example.com': 'failed' })))
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.button('Failed 1'))
    bench.page.click('Failed 1')
    await bench.page.until(() => bench.page.root().querySelectorAll('.delivery li').length === 1)
    expect(bench.page.root().querySelector('.delivery li')?.textContent).toContain('b@example.com')
  })
})
