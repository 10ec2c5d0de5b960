import { describe, expect, it } from 'vitest'
import { body, second, composeBench } from '../../tests/support/compose-bench.ts'
import { sampleConfig } from '../../tests/support/samples.ts'

const bench = composeBench()

describe('the sender', () => {
  it('SEND-23 shows Loading... while mailboxes load', async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('listEmailConfigs', async () => {
      await answer.promise
      return { json: [second] }
    })
    bench.open()
    await bench.page.until(() => bench.api.received.length === 1)
    expect(bench.page.field('From').textContent).toBe('Loading...')
    answer.resolve(undefined)
    await bench.page.until(() => bench.page.text().includes('shop@northwind.example'))
  })

  it('SEND-02 SEND-03 offers the mailboxes, each with its secret key', async () => {
    await bench.ready()
    const options = [...bench.page.select('From').options]
    expect(options.map((option) => option.value)).toEqual(['', 'ck_4f9a7c1e5b2d8f60', 'ck_second'])
    expect(options[2]?.textContent).toBe('shop@northwind.example · gmail')
  })

  it('SEND-24 shows Error loading emails when loading failed, and can retry', async () => {
    bench.api.on('listEmailConfigs', { status: 503, json: { detail: 'The service is starting.' } })
    bench.open()
    await bench.page.until(() => bench.page.field('From').textContent === 'Error loading emails')
    bench.api.on('listEmailConfigs', { json: [second] })
    bench.page.click('Try Again')
    await bench.page.until(() => bench.page.text().includes('shop@northwind.example'))
  })

  it('SEND-25 shows No email configurations found when there are none, with a link to add one', async () => {
    bench.api.on('listEmailConfigs', { json: [] })
    bench.open({ configsHref: '/dashboard/email_config#add' })
    await bench.page.until(() => bench.page.field('From').textContent === 'No email configurations found')
    expect(bench.page.button('Connect a mailbox').getAttribute('href')).toBe('/dashboard/email_config#add')
  })

  it('does not offer a paused one', async () => {
    bench.api.on('listEmailConfigs', { json: [sampleConfig({ status: 'paused', pause_reason: 'Refused.' }), second] })
    await bench.ready()
    const paused = bench.page.select('From').options[1]
    expect(paused?.disabled).toBe(true)
    expect(paused?.textContent).toContain('paused')
  })
})

describe('the form', () => {
  /** The part of the tools is loaded once the mailboxes are known, or with the first press. */
  async function openWithoutTools(): Promise<void> {
    bench.api.on('listEmailConfigs', () => new Promise<never>(() => undefined))
    bench.open()
    await bench.page.until(() => bench.page.button('Bold'))
  }

  it('SEND-04 SEND-05 SEND-06 SEND-11 has subject, recipients, body and the launch button', async () => {
    await bench.ready()
    expect(bench.page.field('Subject Line').tagName).toBe('INPUT')
    expect(bench.page.field('Recipients').tagName).toBe('INPUT')
    expect(bench.page.field(body).tagName).toBe('TEXTAREA')
    expect(bench.launch().textContent).toBe('Launch Message')
  })

  it('LIMITS-10 the message body has 10 rows', async () => {
    await bench.ready()
    expect(bench.page.field(body).getAttribute('rows')).toBe('10')
  })

  it.each([
    ['SEND-07 bold', 'Bold', '<b>text</b>'],
    ['SEND-08 colour', 'Colour', '<span style="color: #0f6b4f">text</span>'],
    ['SEND-09 a button', 'Button', '>Button</a></p>'],
    ['SEND-10 a table', 'Table', '<table cellpadding="8" border="1"'],
    ['a merge variable', 'Merge variable', '{{}}'],
  ])('%s is inserted by a snippet button', async (_, name, snippet) => {
    await bench.ready()
    bench.page.click(name)
    await bench.page.until(() => bench.page.field(body).value.includes(snippet))
    bench.page.type('Subject Line', 'Doors')
    await bench.page.until(() => !bench.page.text().includes('Add a subject line'))
    expect(bench.page.text()).not.toContain('Add message content')
    expect(bench.page.field(body).value).toContain(snippet)
  })

  it('has what tools insert that are pressed at once, before their part is loaded, in the order of the presses', async () => {
    await openWithoutTools()
    bench.page.click('Bold')
    bench.page.click('Colour')
    bench.page.click('Table')
    expect(bench.page.field(body).value).toBe('')
    await bench.page.until(() => bench.page.field(body).value.includes('<table'))
    expect(bench.page.field(body).value).toMatch(/^<b><span style="color: #0f6b4f"><table[^]*<\/table><\/span><\/b>$/)
    await bench.page.until(() => !bench.page.text().includes('Add message content'))
  })

  it('can close after a press, before the part of the tools is loaded', async () => {
    await openWithoutTools()
    bench.page.click('Bold')
    bench.page.leave()
    await import('./modes/html/html-tools.tsx')
    await openWithoutTools()
    expect(bench.page.field(body).value).toBe('')
  })

  it('SEND-40 has from, subject, messageBody and recipients in its draft', async () => {
    await bench.ready()
    await bench.fill()
    bench.page.click('Launch Message')
    await bench.page.until(() => bench.sends().length === 1)
    expect(bench.sends()[0]?.path).toBe('/email/send-mail/ck_second')
    expect(bench.sends()[0]?.body).toEqual({
      subject: 'Doors open Thursday',
      content: 'Dear friend',
      recipient_list: ['a@example.com'],
      context: {},
    })
  })
})

describe('recipients', () => {
  it('SEND-13 Enter adds the recipient', async () => {
    await bench.ready()
    bench.page.type('Recipients', 'a@example.com')
    bench.page.press(bench.page.field('Recipients'), 'Enter')
    await bench.page.until(() => bench.chips().length === 1)
    expect(bench.chips()).toEqual(['a@example.com'])
    expect(bench.page.field('Recipients').value).toBe('')
  })

  it('SEND-14 the button ADD+ adds the recipient', async () => {
    await bench.ready()
    bench.page.type('Recipients', 'b@example.com')
    bench.page.click('ADD+')
    await bench.page.until(() => bench.chips().length === 1)
  })

  it('SEND-15 SEND-16 are trimmed, and an empty one is not added', async () => {
    await bench.ready()
    bench.page.type('Recipients', '   ')
    bench.page.press(bench.page.field('Recipients'), 'Enter')
    await bench.addRecipient('  a@example.com  ')
    expect(bench.chips()).toEqual(['a@example.com'])
  })

  it('SEND-17 an invalid address stays, marked with its reason', async () => {
    await bench.ready()
    await bench.addRecipient('front desk')
    await bench.addRecipient('a@example.com')
    expect(bench.chips()).toEqual(['front desk', 'a@example.com'])
    expect(bench.page.root().querySelectorAll('.chip.marked')).toHaveLength(1)
    expect(bench.page.text()).toContain('front desk contains more than an address')
  })

  it('SEND-18 a duplicate is accepted too, is listed once with its count, and is removed by one button', async () => {
    await bench.ready()
    await bench.addRecipient('a@example.com, b@example.com')
    bench.page.type('Recipients', 'A@example.com')
    bench.page.press(bench.page.field('Recipients'), 'Enter')
    await bench.page.until(() => bench.page.text().includes('A@example.com is already in the list'))
    expect(bench.chips()).toEqual(['a@example.com', 'b@example.com'])
    expect(bench.page.root().querySelector('.chip')?.textContent).toContain('×2')
    expect(bench.page.root().querySelectorAll('.chip.marked')).toHaveLength(0)
    bench.page.click('Remove a@example.com')
    await bench.page.until(() => bench.chips().length === 1)
    expect(bench.chips()).toEqual(['b@example.com'])
    expect(bench.page.text()).not.toContain('is already in the list')
  })

  it('are added from a pasted list', async () => {
    await bench.ready()
    expect(bench.paste('Name,Email\nAda,a@example.com\nBo,b@example.com')).toBe(true)
    await bench.page.until(() => bench.chips().length === 2)
    expect(bench.chips()).toEqual(['a@example.com', 'b@example.com'])
  })

  it('are removed when a paste is undone, and restored by redo', async () => {
    await bench.ready()
    await bench.addRecipient('first@example.com')
    bench.paste('a@example.com\nb@example.com')
    await bench.page.until(() => bench.page.text().includes('2 recipients added'))
    bench.page.click('Undo')
    await bench.page.until(() => bench.chips().length === 1)
    expect(bench.chips()).toEqual(['first@example.com'])
    bench.page.click('Undo')
    await bench.page.until(() => bench.chips().length === 3)
  })

  it('collapse when there are many, expand, and are filtered by the input', async () => {
    await bench.ready()
    await bench.addRecipient(Array.from({ length: 312 }, (_, at) => `visitor-${at}@example.org`).join(','))
    expect(bench.chips()).toHaveLength(5)
    expect(bench.page.text()).toContain('312 recipients')
    bench.page.click('and 307 more')
    await bench.page.until(() => bench.chips().length === 200)
    expect(bench.page.text()).toContain('and 112 more: type to find one')
    bench.page.type('Find a recipient', 'visitor-311')
    await bench.page.until(() => bench.chips().length === 1)
    bench.page.click('Remove visitor-311@example.org')
    await bench.page.until(() => bench.page.text().includes('311 recipients'))
  })

  it('are removed by their button and by Backspace', async () => {
    await bench.ready()
    await bench.addRecipient('a@example.com, b@example.com, c@example.com')
    bench.page.click('Remove b@example.com')
    await bench.page.until(() => bench.chips().length === 2)
    bench.page.press(bench.page.field('Recipients'), 'Backspace')
    await bench.page.until(() => bench.chips().length === 1)
    expect(bench.chips()).toEqual(['a@example.com'])
  })
})

describe('the checklist and the launch button', () => {
  const parts: [string, string, () => void | Promise<void>][] = [
    ['SEND-19 SEND-42 the sender', 'Select a sender email', () => bench.page.choose('From', 'ck_second')],
    ['SEND-20 SEND-43 the subject', 'Add a subject line', () => bench.page.type('Subject Line', 'Doors')],
    ['SEND-21 SEND-44 the body', 'Add message content', () => bench.page.type(body, 'Dear friend')],
    ['SEND-22 SEND-45 recipients', 'Add at least one recipient', () => bench.addRecipient('a@example.com')],
  ]

  it.each(parts)('%s: %s is listed, and the button disabled, while it is missing', async (_, sentence) => {
    await bench.ready()
    for (const [, other, doIt] of parts) if (other !== sentence) await doIt()
    await bench.page.until(() => bench.page.root().querySelectorAll('.launch li').length === 1)
    expect(bench.page.text()).toContain(sentence)
    expect(bench.launch().disabled).toBe(true)
    for (const [, other, doIt] of parts) if (other === sentence) await doIt()
    await bench.page.until(() => !bench.launch().disabled)
    expect(bench.page.text()).not.toContain(sentence)
  })

  it.each(['Subject Line', body])('ERRORS-12 launching from %s with a missing field shows an error', async (label) => {
    await bench.ready()
    bench.page.press(bench.page.field(label), 'Enter', { ctrlKey: true })
    await bench.page.until(() => bench.alerts().includes('Please fill all required fields'))
    expect(bench.sends()).toEqual([])
  })

  it('ERRORS-12 Enter in the subject line submits the form', async () => {
    await bench.ready()
    bench.page.press(bench.page.field('Subject Line'), 'Enter')
    await bench.page.until(() => bench.alerts().includes('Please fill all required fields'))
  })
})
