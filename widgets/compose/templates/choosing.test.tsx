import { describe, expect, it } from 'vitest'
import { body, composeBench } from '../../../tests/support/compose-bench.ts'
import type { OpenPicker } from '../compose-types.ts'

const bench = composeBench()

/** A stand-in for the picker's element, which records its calls and dispatches the picker's events. */
function picker() {
  const opened: { place: HTMLElement; how: Parameters<OpenPicker>[1] }[] = []
  let unmountedCount = 0
  const openPicker: OpenPicker = (place, how) => {
    opened.push({ place, how })
    return Promise.resolve(() => void (unmountedCount += 1))
  }
  const fire = (name: string, detail?: object) =>
    opened.at(-1)?.place.dispatchEvent(new CustomEvent(`sendwright:${name}`, { bubbles: true, composed: true, detail }))
  const picked = { id: 'tpl_1', source: 'own', subject: 'For {{first_name}}', body: '<p>Hi</p>', contextTags: ['city'] }
  return { openPicker, opened, fire, picked, unmounted: () => unmountedCount }
}

describe('templates', () => {
  it('SEND-27 SEND-28 Choose Template on the right side opens the picker in a dialog', async () => {
    const { openPicker, opened } = picker()
    await bench.ready({ openPicker })
    expect(bench.page.button('Choose Template').closest('[aria-label=Preview]')).not.toBeNull()
    bench.page.click('Choose Template')
    await bench.page.until(() => opened.length === 1)
    expect(opened[0]!.how).toEqual({ start: 'pick', draft: { subject: '', body: '' } })
    const dialog = opened[0]!.place.closest('dialog')
    expect(dialog?.querySelector('h2')?.textContent).toBe('Choose Template')
  })

  it('SEND-32 the picked template fills subject and body, and the dialog closes', async () => {
    const { openPicker, opened, fire, picked, unmounted } = picker()
    await bench.ready({ openPicker })
    bench.page.click('Choose Template')
    await bench.page.until(() => opened.length === 1)
    fire('template-picked', picked)
    await bench.page.until(() => bench.page.field(body).value === '<p>Hi</p>')
    expect(bench.page.field('Subject Line').value).toBe('For {{first_name}}')
    await bench.page.until(() => bench.page.root().querySelector('dialog') === null)
    await bench.page.until(() => unmounted() === 1)
    expect(bench.page.text()).not.toContain('Undo')
  })

  it('undo restores the content that a template replaced', async () => {
    const { openPicker, opened, fire, picked } = picker()
    await bench.ready({ openPicker })
    bench.page.type('Subject Line', 'Doors open')
    bench.page.type(body, 'Dear friend')
    bench.page.click('Choose Template')
    await bench.page.until(() => opened.length === 1)
    fire('template-picked', picked)
    await bench.page.until(() => bench.page.text().includes('The template replaced your text.'))
    bench.page.click('Undo')
    await bench.page.until(() => bench.page.field(body).value === 'Dear friend')
    expect(bench.page.field('Subject Line').value).toBe('Doors open')
  })

  it('SEND-12 Create Template opens the create-template dialog with the current content', async () => {
    const { openPicker, opened, fire, unmounted } = picker()
    await bench.ready({ openPicker })
    bench.page.type('Subject Line', 'Doors open')
    bench.page.type(body, 'Dear friend')
    bench.page.click('Create Template')
    await bench.page.until(() => opened.length === 1)
    expect(opened[0]!.how).toEqual({ start: 'create', draft: { subject: 'Doors open', body: 'Dear friend' } })
    fire('closed')
    await bench.page.until(() => unmounted() === 1)
    expect(bench.page.field(body).value).toBe('Dear friend')
  })

  it('can be requested again after a failed load', async () => {
    let count = 0
    const openPicker: OpenPicker = () =>
      ++count === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(() => undefined)
    await bench.ready({ openPicker })
    bench.page.click('Choose Template')
    await bench.page.until(() => bench.alerts().includes('The templates could not be loaded.'))
    bench.page.click('Try Again')
    await bench.page.until(() => count === 2 && !bench.alerts().includes('could not'))
  })

  it('cannot be selected in a page without a picker', async () => {
    await bench.ready()
    expect(bench.page.text()).not.toContain('Template')
  })
})

describe('a test mail', () => {
  it('is sent to oneself only, filled like the preview, and keeps the draft', async () => {
    await bench.ready({ testAddress: 'me@northwind.example' })
    await bench.fill()
    bench.page.type(body, 'Dear {{name}}')
    await bench.page.until(() => bench.page.field('{{name}}'))
    bench.page.type('{{name}}', 'Ada')
    bench.page.click('Send a test to me')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.toasts[0]).toEqual({ kind: 'success', text: 'Test sent to me@northwind.example' })
    expect(bench.sends().map(({ body: sent }) => sent)).toEqual([
      {
        subject: 'Doors open Thursday',
        content: 'Dear {{name}}',
        recipient_list: ['me@northwind.example'],
        context: { name: 'Ada' },
        is_test: true,
      },
    ])
    expect(bench.chips()).toEqual(['a@example.com'])
  })

  it('shows the reason when it was not sent', async () => {
    bench.api.on('sendMailWithKey', { status: 502, json: { detail: 'The mail server refused the app password.' } })
    await bench.ready({ testAddress: 'me@northwind.example' })
    await bench.fill()
    await bench.page.until(() => bench.page.button('Send a test to me'))
    bench.page.click('Send a test to me')
    await bench.page.until(() => bench.toasts.length === 1)
    expect(bench.toasts[0]?.text).toBe('The test was not sent. The mail server refused the app password.')
  })
})
