import { ref } from 'valtio/vanilla'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../../../tests/support/api-server.ts'
import { testSession } from '../../../tests/support/widget-page.ts'
import type { Block, Inline } from '../../../contract/design/design.ts'
import { renderHtml } from '../../../mail-design/render-html.ts'
import { createComposeStore } from '../compose-store.ts'
import type { ComposeStore } from '../compose-types.ts'
import { letterOf } from './rich-text/convert.ts'
import { switchMode } from './mode-store.ts'

let api: ApiServer
let store: ComposeStore
beforeEach(async () => {
  api = await startApi()
  api.on('listEmailConfigs', { json: [], headers: { 'X-Total-Count': '0' } })
  store = createComposeStore({ session: testSession(api.url), notify: () => undefined, mode: 'text' })
})
afterEach(async () => {
  store.close()
  await api.close()
})

const text = (words: string): Inline[] => [{ text: words }]
const blocks: Block[] = [
  {
    ...{ id: 'words', type: 'text' },
    content: [
      { type: 'paragraph', content: [...text('Dear '), { variable: 'first_name', fallback: 'friend' }] },
      {
        type: 'list',
        ordered: false,
        items: [{ content: text('one') }, { content: [{ text: 'two', marks: { b: true } }] }],
      },
    ],
  },
  { id: 'go', type: 'button', label: 'Get tickets', href: 'https://example.com/t', padding: [0, 0, 16, 0] },
  { id: 'end', type: 'text', content: [{ type: 'paragraph', content: text('See you') }] },
]

describe('a switch of modes', () => {
  it('TEXTMODE-22 Text → Design keeps the whole message: the letter becomes one row, and switching back gives the same text', () => {
    const letter = letterOf(blocks)
    const messageBody = renderHtml(letter)
    store.write({ mode: 'text', design: letter, text: '', messageBody })
    switchMode(store, 'design')
    const { mode, design } = store.state.draft
    expect([mode, design?.layout, design?.rows.length]).toEqual(['design', 'page', 1])
    expect(design?.rows[0]?.columns.map((column) => column.blocks)).toEqual([blocks])
    switchMode(store, 'text')
    expect(store.state.draft.mode).toBe('text')
    expect(store.state.draft.design?.rows[0]?.columns[0]?.blocks).toEqual(blocks)
    expect(store.state.draft.messageBody).toBe(messageBody)
  })

  it('TEXTMODE-22 keeps text that was typed before its editor came', () => {
    store.write({ mode: 'text', text: 'Dear {{first_name}},\n\nsee you', messageBody: '<p>Dear</p>' })
    switchMode(store, 'design')
    switchMode(store, 'text')
    const [block] = store.state.draft.design?.rows[0]?.columns[0]?.blocks ?? []
    expect(block).toMatchObject({
      content: [
        { content: [{ text: 'Dear ' }, { variable: 'first_name' }, { text: ',' }] },
        { content: [{ text: 'see you' }] },
      ],
    })
  })

  it.each(['<p>a</p>\r\n<p>b</p>\n', '<!doctype html>\r\n<html><body class=x>{{a | default: "b"}}</body></html>\r\n'])(
    'HTMLMODE-07 HTML → Design makes one HTML block that holds the source byte for byte: %j',
    (source) => {
      store.write({ mode: 'html', messageBody: source })
      switchMode(store, 'design')
      const { mode, design, messageBody } = store.state.draft
      expect(mode).toBe('design')
      expect(design?.rows.flatMap(({ columns }) => columns.flatMap((column) => column.blocks))).toEqual([
        { id: expect.any(String) as string, type: 'html', html: source },
      ])
      expect(messageBody).toContain(source)
    },
  )

  it('to HTML keeps the HTML that the design gives, and Undo has the design', () => {
    const letter = letterOf(blocks)
    store.write({ mode: 'text', design: ref(letter), text: '', messageBody: renderHtml(letter) })
    switchMode(store, 'html')
    expect(store.state.draft).toMatchObject({ mode: 'html', design: null, messageBody: renderHtml(letter) })
    expect(store.state.undo?.draft.design).toEqual(letter)
  })
})
