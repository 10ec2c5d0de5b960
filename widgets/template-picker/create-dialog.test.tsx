import { describe, expect, it } from 'vitest'
import { pickerBench } from '../../tests/support/picker-bench.ts'

const bench = pickerBench()

const openDialog = async (draft?: { subject: string; body: string }) => {
  bench.open({ start: 'create', ...(draft && { draft }) })
  await bench.page.until(() => bench.page.field('Subject'))
}
const fill = () => {
  bench.page.type('Subject', 'Hello {{name}}')
  bench.page.type('Body', '<p>Dear {{name}}</p>')
  bench.page.type('Context tags', ' name, place ,name,')
}

describe('the Create Template dialog', () => {
  it('SEND-34 requires a subject', async () => {
    await openDialog()
    expect(bench.page.field('Subject').tagName).toBe('INPUT')
  })

  it('SEND-35 requires a body', async () => {
    await openDialog()
    expect(bench.page.field('Body').tagName).toBe('TEXTAREA')
  })

  it('SEND-36 accepts context tags, comma-separated, and sends each once', async () => {
    await openDialog()
    fill()
    bench.submit()
    await bench.page.until(() => bench.creates().length === 1)
    expect(bench.creates()[0]?.body).toEqual({
      subject: 'Hello {{name}}',
      body: '<p>Dear {{name}}</p>',
      context: ['name', 'place'],
    })
  })

  it.each([
    ["SEND-37 a missing subject gives 'Subject is required'", 'Subject', 'Subject is required'],
    ["SEND-38 a missing body gives 'Body is required'", 'Body', 'Body is required'],
    [
      "SEND-39 no context tag gives 'At least one context tag is required'",
      'Context tags',
      'At least one context tag is required',
    ],
  ])('%s', async (_row, label, text) => {
    await openDialog()
    fill()
    bench.page.type(label, ' ')
    bench.submit()
    await bench.page.until(() => bench.page.text().includes(text))
    expect(bench.creates()).toEqual([])
    expect(bench.page.field(label).getAttribute('aria-invalid')).toBe('true')
    bench.page.type(label, 'something')
    await bench.page.until(() => !bench.page.text().includes(text))
  })

  it('starts with the draft, and with its merge variables as tags', async () => {
    await openDialog({ subject: 'For {{name}}', body: '<p>{{place | default: "here"}} {{name}}</p>' })
    expect(bench.page.field('Subject').value).toBe('For {{name}}')
    expect(bench.page.field('Body').value).toBe('<p>{{place | default: "here"}} {{name}}</p>')
    expect(bench.page.field('Context tags').value).toBe('name, place')
  })

  it('of a design shows its words, read-only, and sends the design', async () => {
    const design = { version: 1 } as never
    bench.open({
      start: 'create',
      draft: { subject: 'Hello', body: '<p>Dear</p>', design, words: 'Dear {{name}}', preheader: 'Soon' },
    })
    await bench.page.until(() => bench.page.field('Body'))
    expect([bench.page.field('Body').value, bench.page.field('Body').hasAttribute('readonly')]).toEqual([
      'Dear {{name}}',
      true,
    ])
    bench.page.type('Context tags', 'name')
    bench.submit()
    await bench.page.until(() => bench.creates().length === 1)
    expect(bench.creates()[0]?.body).toEqual({
      subject: 'Hello',
      design: { version: 1 },
      preheader: 'Soon',
      context: ['name'],
    })
  })

  it('notifies the page when it has ended, saved or not', async () => {
    await openDialog()
    bench.page.click('Cancel')
    await bench.page.until(() => bench.closedCount === 1)
    expect(bench.creates()).toEqual([])
  })

  it('closes once the template is saved', async () => {
    await openDialog()
    fill()
    bench.submit()
    await bench.page.until(() => bench.closedCount === 1)
    expect(bench.toasts).toEqual([{ kind: 'success', text: 'Template created' }])
  })

  it('ERRORS-15 a failure shows a toast; the input is kept, and can be submitted again', async () => {
    bench.api.on('createEmailTemplate', { status: 503, json: { detail: 'The service is stopping.' } })
    await openDialog()
    fill()
    bench.submit()
    await bench.page.until(() => bench.page.text().includes('The service is stopping.'))
    expect(bench.toasts).toEqual([{ kind: 'error', text: 'Error occurred creating template' }])
    expect(bench.page.field('Body').value).toBe('<p>Dear {{name}}</p>')
    expect(bench.page.button('Create Template').disabled).toBe(false)
  })

  it('adds the new template to the cards', async () => {
    await bench.ready()
    bench.page.click('New')
    await bench.page.until(() => bench.page.field('Subject'))
    fill()
    bench.submit()
    await bench.page.until(() => bench.cards()[0]?.includes('Hello {{name}}'))
    expect(bench.closedCount).toBe(0)
  })
})
