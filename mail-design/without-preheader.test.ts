import { describe, expect, it } from 'vitest'
import { sampleDesign, sampleRow, textBlock } from '../tests/support/design-samples.ts'
import { renderHtml } from './render-html.ts'
import { withoutPreheader } from './without-preheader.ts'

/** From the tag of its body on: a title is made of a preheader too. */
const bodyOf = (html: string) => html.slice(html.indexOf('<body'))

const design = sampleDesign([sampleRow([textBlock('a', 'Hello')])])

describe('the HTML of a design without its preheader', () => {
  it.each(['page', 'letter'] as const)('is that of the same %s without one', (layout) => {
    const bare = renderHtml({ ...design, layout, preheader: '' })
    const full = renderHtml({ ...design, layout, preheader: 'In short, {{first_name | default: "you"}}' })
    expect(full).not.toBe(bare)
    expect(bodyOf(withoutPreheader(full))).toBe(bodyOf(bare))
    expect(withoutPreheader(bare)).toBe(bare)
  })

  it.each([
    '',
    '<p>In short</p>',
    '<body><div>In short</div>',
    '<body><div style="color:red">In short</div>',
    '<body><div style="display:none">In <b>short</b></div>',
  ])('is unchanged where its body does not begin with hidden text: %s', (html) =>
    expect(withoutPreheader(html)).toBe(html),
  )
})
