import type { Block, Design, Inline, Theme } from '../../../../../contract/design/design.ts'
import type { MakeId } from './operations.ts'

/** What the palette offers, in its order. */
export const blockKinds = [
  ...(['heading', 'text', 'button', 'image', 'divider', 'spacer'] as const),
  ...(['table', 'social', 'product', 'menu', 'html', 'footer'] as const),
] as const
export type BlockKind = (typeof blockKinds)[number]

/** An address that is still to be written. */
export const emptyAddress = 'https://'

const theme: Theme = {
  width: 600,
  background: { light: '#f1efe9', dark: '#141413' },
  surface: { light: '#ffffff', dark: '#1f1f1d' },
  text: { light: '#1c1b19', dark: '#f2f0ea' },
  link: { light: '#0f6b4f', dark: '#74cfa8' },
  accent: { light: '#0f6b4f', dark: '#0f6b4f' },
  onAccent: { light: '#ffffff', dark: '#ffffff' },
  font: 'arial',
  headingFont: 'georgia',
  radius: 6,
  dark: 'auto',
}

export const emptyDesign = (): Design => ({ version: 1, layout: 'page', theme, preheader: '', rows: [] })

/** Code as a design of one block, byte for byte. */
export function designOfHtml(html: string, makeId: MakeId): Design {
  if (html === '') return emptyDesign()
  const block: Block = { id: makeId(), type: 'html', html }
  const row = { id: makeId(), columns: [{ span: 12, blocks: [block] }], stackOnPhone: true }
  return { ...emptyDesign(), rows: [row] }
}

const words = (text: string): Inline[] => [{ text }]

/** A block of a kind with its first content. `t` translates that. */
export function newBlock(kind: BlockKind, makeId: MakeId, t: (text: string) => string): Block {
  const id = makeId()
  const padding: [number, number, number, number] = [0, 0, 0, 0]
  switch (kind) {
    case 'heading':
      return { id, type: 'heading', level: 2, content: words(t('Your heading')) }
    case 'text':
      return { id, type: 'text', content: [{ type: 'paragraph', content: words(t('Your text')) }] }
    case 'button':
      return { id, type: 'button', label: t('Your button'), href: emptyAddress, padding: [8, 0, 16, 0] }
    case 'image':
      return { id, type: 'image', src: emptyAddress, alt: '' }
    case 'divider':
      return { id, type: 'divider', line: { width: 1, style: 'solid', colour: 'line' }, padding: [8, 0, 16, 0] }
    case 'spacer':
      return { id, type: 'spacer', height: 32 }
    case 'social':
      return { id, type: 'social', links: ['Instagram', 'LinkedIn'].map((label) => ({ label, href: emptyAddress })) }
    case 'menu':
      return { id, type: 'menu', links: [t('Home'), t('Shop')].map((label) => ({ label, href: emptyAddress })) }
    case 'product':
      return {
        ...{ id, type: 'product', name: t('Your product'), description: t('What it is'), price: '€ 20', padding },
        button: { label: t('See it'), href: emptyAddress },
      }
    case 'table':
      return { id, type: 'table', rows: [0, 1, 2].map((line) => tableLine(line, makeId, t)) }
    case 'html':
      return { id, type: 'html', html: `<p>${t('Your code')}</p>` }
    case 'footer':
      return {
        id,
        type: 'footer',
        content: [{ type: 'paragraph', content: footerWords(t), style: { align: 'center' } }],
      }
  }
}

function tableLine(line: number, makeId: MakeId, t: (text: string) => string) {
  const isHead = line === 0
  const cell = (text: string) => ({
    blocks: [
      {
        ...{ id: makeId(), type: 'text' as const, style: { after: 0, ...(isHead && { weight: 700 as const }) } },
        content: [{ type: 'paragraph' as const, content: words(text) }],
      },
    ],
    padding: [8, 8, 8, 8] as [number, number, number, number],
    border: { width: 1, style: 'solid' as const, colour: 'line' as const, sides: ['bottom' as const] },
    ...(isHead && { header: true }),
  })
  return { cells: isHead ? [cell(t('Item')), cell(t('Price'))] : [cell(t('Your text')), cell('€ 20')] }
}

function footerWords(t: (text: string) => string): Inline[] {
  return [
    { variable: 'postal_address', fallback: '' },
    { break: true },
    { text: t('Unsubscribe'), marks: { link: '{{unsubscribe_url}}' } },
  ]
}

/** An id that nothing in any design has. */
export const randomId: MakeId = () =>
  `b${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => (byte % 36).toString(36)).join('')}`
