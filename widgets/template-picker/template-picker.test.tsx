import { describe, expect, it } from 'vitest'
import { pickerBench } from '../../tests/support/picker-bench.ts'
import { sampleGlobal, sampleTemplate } from '../../tests/support/samples.ts'

const bench = pickerBench()

describe('the cards', () => {
  it("SEND-29 show each template's name: its subject's first words, or its key without one", async () => {
    await bench.ready()
    const names = [...bench.page.root().querySelectorAll('.template-card b')].map((name) => name.textContent)
    expect(names).toEqual(['Doors open Thursday, {{first_name}}', 'invoice-2'])
  })

  it("SEND-30 show each template's subject", async () => {
    bench.list([sampleTemplate({ subject: 'The autumn show opens its doors on Thursday' })])
    await bench.ready()
    expect(bench.cards()[0]).toContain('The autumn show opens its doors on Thursday')
    expect(bench.page.root().querySelector('.template-card b')?.textContent).toBe('The autumn show opens its…')
  })

  it('SEND-32 a click applies the template: it notifies the page which was picked', async () => {
    await bench.ready()
    bench.press('Doors open')
    expect(bench.picked).toEqual([
      {
        id: 'tpl_1',
        source: 'own',
        subject: 'Doors open Thursday, {{first_name}}',
        body: '<p>Dear {{first_name}}, we kept two places for you.</p>',
        contextTags: ['first_name'],
      },
    ])
  })

  it('show own templates with their defaults, and return them unfilled', async () => {
    const subject = 'Hello {{first_name | default: "friend"}}'
    bench.list([sampleTemplate({ subject })])
    await bench.ready()
    expect(bench.cards()).toEqual(['Hello friendHello friend'])
    bench.press('Hello friend')
    expect(bench.picked[0]?.subject).toBe(subject)
  })

  it('include the global templates by name, and return them unfilled', async () => {
    await bench.ready()
    bench.page.click('Global templates')
    await bench.page.until(() => bench.cards()[0]?.includes('Welcome to Alder & Finch'))
    bench.press('Welcome')
    expect(bench.picked).toEqual([
      {
        id: 'global-welcome',
        source: 'global',
        subject: 'Welcome to {{company}}',
        body: '<p>Hello {{name}}</p>',
        contextTags: ['company', 'name'],
      },
    ])
    const asked = bench.api.received.find(({ path }) => path === '/collections/templates/documents')
    expect(asked?.headers['x-api-key']).toBe('hr_1')
  })

  it('include only the requested sources', async () => {
    await bench.ready({ sources: ['global'] })
    expect(bench.cards()).toHaveLength(1)
    expect(bench.page.text()).not.toContain('Your templates')
    expect(bench.api.received.map(({ path }) => path)).not.toContain('/email/templates')
  })

  it('are searched by words of subject, content and tags', async () => {
    await bench.ready()
    bench.page.type('Search templates', 'KEPT places')
    await bench.page.until(() => bench.cards().length === 1)
    bench.page.type('Search templates', 'sum')
    await bench.page.until(() => bench.cards()[0]?.includes('invoice-2'))
    bench.page.type('Search templates', 'nowhere')
    await bench.page.until(() => bench.page.text().includes('No template contains “nowhere”.'))
    bench.page.click('Clear search')
    await bench.page.until(() => bench.cards().length === 2)
  })

  it('are paged', async () => {
    const many = Array.from({ length: 130 }, (_, at) => sampleTemplate({ id: `tpl_${at}`, subject: `Letter ${at}` }))
    bench.list(many)
    await bench.ready()
    expect(bench.cards()).toHaveLength(60)
    expect(bench.page.text()).toContain('130 templates')
    bench.page.click('Show more')
    await bench.page.until(() => bench.cards().length === 120)
  })

  it('ignore a document that is not a template', async () => {
    const odd = sampleGlobal('global-odd', { subject: 7, body: null, context: 'x', sample: [] })
    bench.api.on('listDocuments', { json: [odd], headers: { 'X-Total-Count': '1' } })
    await bench.ready({ sources: ['global'] })
    bench.press('No subject')
    expect(bench.picked).toEqual([{ id: 'global-odd', source: 'global', subject: '', body: '', contextTags: [] }])
  })
})

describe('without cards', () => {
  it('shows a loading state', async () => {
    const answer = Promise.withResolvers<undefined>()
    bench.api.on('getEmailTemplates', async () => {
      await answer.promise
      return { json: [] }
    })
    bench.open()
    await bench.page.until(() => bench.page.root().querySelector('.skeleton')?.textContent.includes('Loading...'))
    answer.resolve(undefined)
    await bench.page.until(() => bench.page.text().includes('No templates yet'))
  })

  it("SEND-33 the empty state offers 'Create Template', which opens the dialog", async () => {
    bench.list([])
    bench.open()
    await bench.page.until(() => bench.page.button('Create Template'))
    bench.page.click('Create Template')
    await bench.page.until(() => bench.page.root().querySelector('dialog h2')?.textContent === 'Create Template')
  })

  it('ERRORS-19 a list that fails to load shows an error in a toast and in its place, with a retry', async () => {
    bench.api.on('getEmailTemplates', { status: 503, json: { detail: 'The service is starting.' } })
    bench.open()
    await bench.page.until(() => bench.page.text().includes('The service is starting.'))
    await bench.page.until(() => bench.toasts.length > 0)
    expect(bench.toasts).toEqual([{ kind: 'error', text: 'Error occured loading templates' }])
    bench.list([sampleTemplate()])
    bench.page.click('Try Again')
    await bench.page.until(() => bench.cards().length === 1)
  })
})
