import { describe, expect, it } from 'vitest'
import { renderHtml } from '../../../mail-design/render-html.ts'
import { sampleDesign, sampleRow, textBlock } from '../../../tests/support/design-samples.ts'
import { draftOf } from './edit-saved.ts'

const design = { ...sampleDesign([sampleRow([textBlock('a', 'Hello')])]), preheader: 'In short' }
const html = renderHtml(design)
const saved: Parameters<typeof draftOf>[0] = {
  subject: 'News',
  preheader: 'In short',
  mode: 'design',
  design,
  html,
  context: {},
  recipients: [],
  kind: 'bulk',
  fields: { fromName: null, replyTo: null, cc: null, bcc: null },
}

describe('a saved message, as the composer opens it', () => {
  it('has its preheader in the field alone: HTML mode would show it twice', () => {
    const draft = draftOf(saved)
    expect(draft).toMatchObject({ preheader: 'In short', design: { ...design, preheader: '' } })
    expect(html).toContain('>In short&#847;')
    expect(draft.messageBody).not.toContain('>In short&#847;')
  })

  it('written in HTML is opened as it was written', () => {
    const body = '<div style="display:none">Mine</div><p>Hello</p>'
    expect(draftOf({ ...saved, mode: 'html', design: null, html: body })).toMatchObject({
      messageBody: body,
      design: null,
    })
  })
})
