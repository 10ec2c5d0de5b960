import { beforeEach, describe, expect, it } from 'vitest'
import { body, composeBench } from '../../../tests/support/compose-bench.ts'
import * as extras from './extras.ts'

const bench = composeBench()
const address = 'Main Street 1\nBristol'
const open = async () => {
  await bench.ready({ loadExtras: () => Promise.resolve(extras), testAddress: 'me@example.com', undoSeconds: () => 0 })
  bench.page.choose('From', 'ck_second')
  bench.page.type('Subject Line', 'Doors open')
  bench.page.type(body, '<p>Dear {{ first_name }}</p>')
  await bench.page.until(() => bench.page.root().querySelector('.mail')?.textContent.includes('Dear'))
}
const mail = () => bench.page.root().querySelector('.mail')!
const asked = (path: string) => bench.api.received.filter((one) => one.path === path)

beforeEach(() => {
  localStorage.clear()
  bench.api.on('getWorkspace', {
    json: {
      id: 'ws_1',
      name: 'Northwind',
      postal_address: address,
      tracking: 'off',
      api_tracking: 'off',
      events_keep_months: 13,
    },
  })
  bench.api.on('sendTestMail', { json: { message: 'Email sent successfully to 2 recipients', id: 'msg_9' } })
})

describe('the preview of a message', () => {
  it('BULKRULES-06 The preview of a bulk message shows the footer with postal address and unsubscribe link, and neither is reported as an empty variable.', async () => {
    await open()
    bench.page.type(body, '<p>Dear reader</p>')
    await bench.addRecipient('a@example.org')
    await bench.page.until(() => mail().textContent.includes('Dear reader'))
    expect(mail().querySelector('a')).toBeNull()
    expect(mail().textContent).not.toContain('Main Street 1')
    await bench.addRecipient('b@example.org')
    await bench.page.until(() => mail().textContent.includes('Main Street 1'))
    expect(mail().querySelector('a')?.textContent).toBe('Unsubscribe')

    // Written in the body, each comes once and filled.
    bench.page.type(body, '<p>{{ postal_address }}</p><a href="{{ unsubscribe_url }}">Leave the list</a>')
    await bench.page.until(() => mail().textContent.includes('Main Street 1, Bristol'))
    expect([...mail().querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual(['Leave the list'])
    expect(bench.page.text()).not.toMatch(/empty for|no value/)
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.sends()[0]?.body).toMatchObject({ kind: 'bulk' })
  })
})

describe('a test to chosen addresses', () => {
  const openTest = async () => {
    bench.page.click('Send a test')
    await bench.page.until(() => bench.page.root().querySelector('dialog[open]'))
  }

  it('CHECK-22 A test send goes to one to ten chosen addresses with the values of a chosen recipient, and the next test send offers the same choice.', async () => {
    await open()
    bench.paste('email,first_name\nann@example.org,Ann\nbob@example.org,Bob\n')
    await bench.page.until(() => bench.chips().length === 2)
    await openTest()
    expect(bench.page.field('Send it to').value).toBe('me@example.com')
    const eleven = Array.from({ length: 11 }, (_, at) => `t${at}@example.com`).join('\n')
    bench.page.type('Send it to', eleven)
    await bench.page.until(() => bench.page.text().includes('A test goes to 10 addresses at most.'))
    expect(bench.page.button('Send the test').disabled).toBe(true)
    bench.page.type('Send it to', 'one@example.com\ntwo@example.com')
    bench.page.choose('With the values of', 'bob@example.org')
    await bench.page.until(() => !bench.page.button('Send the test').disabled)
    bench.page.click('Send the test')
    await bench.page.until(() => asked('/email/send-test').length === 1)
    expect(asked('/email/send-test')[0]?.body).toMatchObject({
      config_id: 'cfg_2',
      to: ['one@example.com', 'two@example.com'],
      subject: 'Doors open',
      content: '<p>Dear {{ first_name }}</p>',
      as_recipient: { email: 'bob@example.org', context: { first_name: 'Bob' } },
    })
    await bench.page.until(() => !bench.page.root().querySelector('dialog'))
    await openTest()
    expect(bench.page.field('Send it to').value).toBe('one@example.com\ntwo@example.com')
    expect(bench.page.field('With the values of').value).toBe('bob@example.org')
  })

  it('says why it was not sent and stays open', async () => {
    bench.api.on('sendTestMail', { status: 409, json: { detail: 'The mailbox is paused.' } })
    await open()
    await openTest()
    bench.page.click('Send the test')
    await bench.page.until(() => bench.alerts().includes('The mailbox is paused.'))
    expect(bench.page.field('Send it to').value).toBe('me@example.com')
  })
})
