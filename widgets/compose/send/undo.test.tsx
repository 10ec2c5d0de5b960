import { describe, expect, it } from 'vitest'
import { accepted, body, composeBench } from '../../../tests/support/compose-bench.ts'
import { progressEvents } from '../../../tests/support/progress-events.ts'
import { sampleMessage } from '../../../tests/support/samples.ts'
import './undo-bar.tsx' // Read before the clock of a test runs.

const bench = composeBench()
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

async function sendWithUndo(seconds: number) {
  bench.api.on('sendMailWithKey', { json: { ...accepted, undo_until: inSeconds(seconds) } })
  await bench.ready({ undoSeconds: () => seconds, launchedHref: ({ kind, id }) => `/${kind}/${id}` })
  await bench.fill()
  bench.page.click('Launch Message')
  await bench.page.until(() => bench.alerts().includes('Email sent successfully!'))
  await bench.page.until(() => bench.page.button('Undo'))
}

describe('the kind of a message', () => {
  const fillFor = async (count: number) => {
    await bench.ready({ undoSeconds: () => 0 })
    bench.page.choose('From', 'ck_second')
    bench.page.type('Subject Line', 'Doors open')
    bench.page.type(body, 'Dear friend')
    await bench.addRecipient(Array.from({ length: count }, (_, at) => `v${at}@example.org`).join(';'))
  }

  it('BULKRULES-03 personal can be chosen for up to ten recipients, not for eleven', async () => {
    await fillFor(10)
    await bench.page.until(() => bench.page.root().querySelector('.launch-kind'))
    bench.page.choose('Kind of message', 'personal')
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.sends()[0]?.body).toMatchObject({ kind: 'personal' })
    bench.page.leave()
    await fillFor(11)
    await bench.page.until(() => bench.page.root().querySelector('.launch-kind'))
    expect(bench.page.root().querySelector<HTMLOptionElement>('option[value=personal]')?.disabled).toBe(true)
  })

  it('BULKRULES-04 transactional can be chosen, and is sent without a footer', async () => {
    await fillFor(2)
    await bench.page.until(() => bench.page.root().querySelector('.launch-kind'))
    bench.page.choose('Kind of message', 'transactional')
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.sends()[0]?.body).toMatchObject({ kind: 'transactional' })
  })

  it('a message to one recipient has none', async () => {
    await bench.ready({ undoSeconds: () => 0 })
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.sends()[0]?.body).not.toHaveProperty('kind')
  })
})

describe('undo of a send', () => {
  it("UNDO-01 the alert 'Email sent successfully!' holds Undo and a countdown from 10 s", async () => {
    await sendWithUndo(10)
    expect(bench.sends()[0]?.body).toMatchObject({ undo_seconds: 10 })
    const alert = bench.page.root().querySelector('[role=alert]')
    expect(alert?.textContent).toContain('Email sent successfully!')
    expect(alert?.querySelector('button')?.textContent).toBe('Undo')
    expect(alert?.querySelector('.undo-left')?.textContent).toBe('10 s')
    await bench.page.until(() => /^[89] s$/.test(alert?.querySelector('.undo-left')?.textContent ?? ''))
  })

  it('brings back the message as it was', async () => {
    bench.api.on('undoMessage', { json: { cancelled: 1 } })
    await sendWithUndo(10)
    expect(bench.page.field(body).value).toBe('')
    bench.page.click('Undo')
    await bench.page.until(() => bench.page.field(body).value === 'Dear friend')
    expect(bench.page.field('Subject Line').value).toBe('Doors open Thursday')
    expect(bench.chips()).toEqual(['a@example.com'])
    expect(bench.alerts()).not.toContain('Email sent successfully!')
  })

  it('UNDO-03 is reached by keyboard, and the countdown is announced without taking the focus', async () => {
    bench.api.on('undoMessage', { json: { cancelled: 1 } })
    await sendWithUndo(10)
    const button = bench.page.button('Undo')
    expect((button.getRootNode() as ShadowRoot).activeElement).not.toBe(button)
    expect(button.tabIndex).toBe(0)
    expect(bench.alerts()).toContain('You can undo this for 10 seconds.')
    expect(bench.page.root().querySelector('.undo-left')?.getAttribute('aria-hidden')).toBe('true')
    button.focus()
    bench.page.press(button, 'Enter')
    button.click()
    await bench.page.until(() => bench.page.field(body).value === 'Dear friend')
  })

  it('UNDO-04 with 0 seconds no Undo is offered', async () => {
    await bench.ready({ undoSeconds: () => 0 })
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.alerts().includes('Email sent successfully!'))
    expect(bench.sends()[0]?.body).not.toHaveProperty('undo_seconds')
    expect(bench.alerts()).not.toContain('Undo')
  })

  it("UNDO-11 a first mail that fails after the time shows 'Failed to send email' with the reason, and opens the message again", async () => {
    bench.api.on('watchMessage', progressEvents(sampleMessage({ 'a@example.com': 'failed' })))
    await sendWithUndo(1)
    await bench.page.until(() => bench.alerts().includes('Failed to send email'))
    expect(bench.alerts()).toContain('550 5.1.1 No such user')
    expect(bench.page.field(body).value).toBe('Dear friend')
  })

  it('UNDO-14 the success alert links to the message', async () => {
    await sendWithUndo(10)
    expect(bench.page.root().querySelector('[role=alert] a')?.getAttribute('href')).toBe('/message/msg_1')
  })

  it('one that comes too late says so and keeps the form', async () => {
    bench.api.on('undoMessage', { status: 409, json: { detail: 'The time to undo has passed; the mails leave.' } })
    await sendWithUndo(10)
    bench.page.click('Undo')
    await bench.page.until(() => bench.toasts.some(({ text }) => text.includes('The time to undo has passed')))
    expect(bench.page.field(body).value).toBe('')
  })

  it('keeps what was written since: it can be restored', async () => {
    bench.api.on('undoMessage', { json: { cancelled: 1 } })
    bench.api.on('sendMailWithKey', { json: { ...accepted, undo_until: inSeconds(10) } })
    await bench.ready({ undoSeconds: () => 10, hasPreheader: true })
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.page.button('Undo'))
    bench.page.type('Preheader', 'Two places left')
    bench.page.click('Undo')
    await bench.page.until(() => bench.page.field('Subject Line').value === 'Doors open Thursday')
    expect(bench.page.field('Preheader').value).toBe('')
    await bench.page.until(() => bench.page.text().includes('The message that was sent is back.'))
    bench.page.click('Undo')
    await bench.page.until(() => bench.page.field('Preheader').value === 'Two places left')
    expect(bench.page.field('Subject Line').value).toBe('')
  })
})
