import type { Block, Design, Inline } from '../../../contract/design/design.ts'
import { isVariable, readTemplate } from '../../../contract/mail/merge-variables.ts'
import { renderHtml } from '../../../mail-design/render-html.ts'
import { message } from '../../lib/messages/message.ts'
import { toPlainText } from '../../lib/plain-text.ts'
import { sanitise } from '../../lib/sanitise.ts'
import type { Draft, Mode } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { sweep } from '../drafts/undo.ts'
import { blockNames } from './design/document/block-names.ts'
import { wordsOf } from './design/document/words.ts'
import { letterOf, toBlocks } from './rich-text/convert.ts'
import { contentOf } from './rich-text/plain.ts'
import { schema } from './rich-text/schema.ts'

/** What has to be asked before a switch: which blocks would be dropped, or which text alone would be kept. */
export type SwitchQuestion = { kind: 'drops'; blocks: DroppedBlock[] } | { kind: 'text'; text: string }

/** A block that would be dropped: what it is called, and the words in it. */
export interface DroppedBlock {
  name: string
  words: string
}

/** Blocks that a letter can have. */
const ofLetter: readonly Block['type'][] = ['text', 'heading', 'button', 'image', 'table', 'divider', 'footer']

/** What the person has to agree to; null where nothing is lost. */
export function questionBefore({ state, settle }: ComposeStore, to: Mode): SwitchQuestion | null {
  settle?.()
  const { messageBody, design } = state.draft
  if (to !== 'text' || messageBody === '') return null
  if (isSource(state.draft)) return { kind: 'text', text: textOf(messageBody) }
  const dropped = blocksOf(design).filter(({ type }) => !ofLetter.includes(type))
  const conditionCount = design?.rows.filter(({ showIf }) => showIf !== undefined).length ?? 0
  const blocks = [
    ...dropped.map((block) => ({ name: blockNames[block.type], words: wordsOf(block) })),
    ...(conditionCount > 0 ? [{ name: 'Condition of a row', words: '' }] : []),
  ]
  return blocks.length === 0 ? null : { kind: 'drops', blocks }
}

/** Shows the message in another mode. What it replaces can be restored. */
export function switchMode(store: ComposeStore, to: Mode): void {
  const { state, write } = store
  store.settle?.()
  const { mode, messageBody, design, text } = state.draft
  if (mode === to) return
  const change = { ...changeTo(to, state.draft), newer: null }
  if (messageBody === '' && design === null && text === '') write(change)
  else sweep(store, undoTexts[to], change)
  store.onMode?.(to)
}

const undoTexts = {
  text: message('The message is in Text mode.'),
  design: message('The message is in Design mode.'),
  html: message('The message is in HTML mode.'),
}

/** Whether there is the HTML alone: in HTML mode, and beside a design of a newer edition. */
const isSource = ({ mode, design }: Pick<Draft, 'mode' | 'design'>) =>
  mode === 'html' || (mode === 'design' && design === null)

function changeTo(to: Mode, { mode, text, ...draft }: Draft): Partial<Draft> {
  const design = draft.design && withTyped(draft.design, text)
  const messageBody = design === null || design === draft.design ? draft.messageBody : renderHtml(design)
  if (to === 'html') return { mode: to, design: null, text: '', messageBody }
  const letter = mode === 'html' ? null : (design ?? typedLetter(text))
  const next =
    to === 'text' ? toText(letter, isSource({ mode, design }) ? messageBody : '') : toDesign(letter, messageBody)
  return { mode: to, design: next, text: '', messageBody: next === null ? '' : renderHtml(next) }
}

/** Blocks that a letter cannot have are dropped, and so are conditions. */
function toText(design: Design | null, source: string): Design | null {
  if (design === null) return source === '' ? null : typedLetter(textOf(source))
  return letterOf(
    blocksOf(design).filter(({ type }) => ofLetter.includes(type)),
    design,
  )
}

/** A letter becomes one row; a source one block, byte for byte. */
function toDesign(letter: Design | null, source: string): Design | null {
  if (letter !== null)
    return { ...letter, layout: 'page', rows: letter.rows.map((row) => ({ padding: rowPadding, ...row })) }
  if (source === '') return null
  const page = letterOf([{ id: 'html', type: 'html', html: source }])
  return { ...page, layout: 'page' }
}

const rowPadding: [number, number, number, number] = [24, 24, 24, 24]

function typedLetter(text: string): Design | null {
  return text === '' ? null : letterOf(toBlocks(schema.nodes.doc.create(null, contentOf(text))))
}

const blocksOf = (design: Design | null): Block[] =>
  design?.rows.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks)) ?? []

const textOf = (source: string): string => toPlainText(sanitise(source))

/** Pasted code becomes the source of the message, in HTML mode. */
export function takeCode(store: ComposeStore, code: string): void {
  store.settle?.()
  sweep(store, message('The message is in HTML mode.'), { mode: 'html', design: null, text: '', messageBody: code })
  store.onMode?.('html')
}

/** A design with what was typed before the editor that shows it came, as paragraphs at its end. */
export function withTyped(design: Design, text: string): Design {
  const last = design.rows.at(-1)
  const column = last?.columns.at(-1)
  if (text.trim() === '' || !last || !column) return design
  const content = text.split('\n\n').map((part) => ({ type: 'paragraph' as const, content: inlineOf(part) }))
  const blocks = [...column.blocks, { id: newId(design), type: 'text' as const, content }]
  const columns = [...last.columns.slice(0, -1), { ...column, blocks }]
  return { ...design, rows: [...design.rows.slice(0, -1), { ...last, columns }] }
}

function inlineOf(text: string): Inline[] {
  return readTemplate(text, () => undefined).flatMap((part): Inline[] => {
    if (isVariable(part)) return [{ variable: part.name, fallback: part.fallback }]
    if (typeof part !== 'string') return []
    const pieces = part.split('\n').flatMap((line): Inline[] => [{ break: true }, { text: line }])
    return pieces.slice(1).filter((piece) => !('text' in piece && piece.text === ''))
  })
}

function newId({ rows }: Design): string {
  const used = new Set(rows.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks.map(({ id }) => id))))
  let id = 'typed'
  for (let no = 2; used.has(id); no++) id = `typed-${no}`
  return id
}
