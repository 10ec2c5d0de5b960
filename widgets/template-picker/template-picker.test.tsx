import { describe, expect, it } from 'vitest'
import type { Design } from '../../contract/design/design.ts'
import { pickerBench } from '../../tests/support/picker-bench.ts'
import { pageOf } from '../../tests/support/template-pages.ts'
import { sampleGlobal, sampleTemplate } from '../../tests/support/samples.ts'

const bench = pickerBench()

const letter: Design = {
  version: 1,
  layout: 'letter',
  theme: {
    ...{ width: 600, background: '#ffffff', surface: '#ffffff', text: '#1f1f1f', link: '#0f6b4f', accent: '#0f6b4f' },
    ...{ font: 'helvetica', headingFont: 'helvetica', radius: 6, dark: 'auto' },
  },
  preheader: '',
  rows: [
    {
      ...{ id: 'row', stackOnPhone: true },
      columns: [
        {
          span: 12,
          blocks: [{ id: 'text', type: 'text', content: [{ type: 'paragraph', content: [{ text: 'Dear' }] }] }],
        },
      ],
    },
  ],
}

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

  it('bring the design of an own template, which lists leave out', async () => {
    bench.list([sampleTemplate({ mode: 'text', preheader: 'Six o’clock' })])
    bench.api.on('getEmailTemplate', {
      json: sampleTemplate({ mode: 'text', preheader: 'Six o’clock', design: letter }),
    })
    await bench.ready()
    bench.press('Doors open')
    await bench.page.until(() => bench.picked.length === 1)
    expect(bench.picked[0]).toMatchObject({ id: 'tpl_1', design: letter, preheader: 'Six o’clock' })
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

  it('are loaded page by page, and searched on the server where they are not loaded', async () => {
    const many = Array.from({ length: 530 }, (_, at) =>
      sampleTemplate({
        id: `tpl_${at}`,
        key: `letter-${at}`,
        subject: `Letter ${at}`,
        body: at === 520 ? '<p>An orchid</p>' : '<p>A rose</p>',
        created_at: new Date(Date.UTC(2025, 8, 1) - at * 1000).toISOString(),
      }),
    )
    bench.api.on('getEmailTemplates', ({ query }) => pageOf(many, query))
    await bench.ready()
    expect(bench.page.text()).toContain('530 templates')
    bench.page.type('Search templates', 'orchid')
    await bench.page.until(() => bench.cards()[0]?.includes('Letter 520'))
    bench.press('Letter 520')
    expect(bench.picked).toMatchObject([{ id: 'tpl_520' }])
    bench.page.type('Search templates', '')
    await bench.page.until(() => bench.cards().length === 60)
    for (let shown = 120; shown <= 540; shown += 60) {
      bench.page.click('Show more')
      await bench.page.until(() => bench.cards().length === Math.min(shown, 530))
    }
    expect(bench.page.text()).not.toContain('Show more')
    expect(bench.cards()[529]).toContain('Letter 529')
    const calls = bench.api.received.filter(({ path }) => path === '/email/templates')
    expect(calls.map(({ query }) => query.get('search'))).toEqual([null, 'orchid', null])
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

  it("HTMLMODE-14 the 'Create Template' dialog opened from the picker's empty state has a body field that takes HTML", async () => {
    bench.list([])
    // Also where the message beside it is a design.
    bench.open({ draft: { subject: 'Hello', body: '<p>Dear</p>', design: letter, words: 'Dear' } })
    await bench.page.until(() => bench.page.button('Create Template'))
    bench.page.click('Create Template')
    await bench.page.until(() => bench.page.root().querySelector('dialog h2')?.textContent === 'Create Template')
    const box = bench.page.field('Body')
    expect([box.value, box.hasAttribute('readonly')]).toEqual(['<p>Dear</p>', false])
    bench.page.type('Body', '<p>Come {{name}}</p>')
    bench.page.type('Context tags', 'name')
    bench.submit()
    await bench.page.until(() => bench.creates().length === 1)
    expect(bench.creates()[0]?.body).toEqual({ subject: 'Hello', body: '<p>Come {{name}}</p>', context: ['name'] })
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
