import { chainCommands, exitCode, toggleMark } from '@tiptap/pm/commands'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from '@tiptap/pm/schema-list'
import { NodeSelection, TextSelection, type Command, type EditorState } from '@tiptap/pm/state'
import type { Block, Colour } from '../../../../contract/design/design.ts'
import { schema } from './schema.ts'

const { nodes, marks } = schema

/** Letters that the toolbar and the keyboard switch on and off. */
export type Format = 'b' | 'i' | 'u' | 's'
export const toggle = (format: Format): Command => toggleMark(marks[format])

/** Colours what is selected; null takes the colour away. */
export const setColour =
  (colour: Colour | null): Command =>
  (state, dispatch) => {
    const { from, to, empty } = state.selection
    const tr = state.tr
    if (empty) {
      if (colour === null) tr.removeStoredMark(marks.colour)
      else tr.addStoredMark(marks.colour.create({ colour }))
    } else if (colour === null) tr.removeMark(from, to, marks.colour)
    else tr.addMark(from, to, marks.colour.create({ colour }))
    dispatch?.(tr)
    return true
  }

/** The range of the link at the caret, or the selection. */
export function linkAt(state: EditorState): { from: number; to: number; href: string } {
  const { from, to, empty, $from } = state.selection
  const near =
    $from.marks().find(({ type }) => type === marks.link) ??
    $from.nodeAfter?.marks.find(({ type }) => type === marks.link)
  const href = near === undefined ? '' : String(near.attrs['href'])
  if (!empty || near === undefined) return { from, to, href }
  let [start, end] = [from, from]
  $from.parent.forEach((node, offset) => {
    const at = $from.start() + offset
    if (node.marks.some((mark) => mark.eq(near)) && at <= from && from <= at + node.nodeSize)
      [start, end] = [at, at + node.nodeSize]
  })
  return { from: start, to: end, href }
}

/** Links the selection, or writes the address where nothing is selected; null takes the link away. */
export const setLink =
  (href: string | null): Command =>
  (state, dispatch) => {
    const { from, to } = linkAt(state)
    const tr = state.tr
    if (href === null) tr.removeMark(from, to, marks.link)
    else if (from === to)
      tr.insert(from, schema.text(href.replace(/^(?:mailto|tel):/, ''), [marks.link.create({ href })]))
    else tr.removeMark(from, to, marks.link).addMark(from, to, marks.link.create({ href }))
    dispatch?.(tr.removeStoredMark(marks.link))
    return true
  }

export const insertVariable =
  (name: string, fallback = ''): Command =>
  (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodes.variable.create({ name, fallback }), true).scrollIntoView())
    return true
  }

/** Puts a block behind the paragraph of the caret, with an empty paragraph after it at the end, and selects it. */
export const insertBlock =
  (block: Block): Command =>
  (state, dispatch) => {
    const { $to } = state.selection
    const isInEmpty = $to.depth === 1 && $to.parent.type === nodes.paragraph && $to.parent.childCount === 0
    const [from, to] =
      $to.depth === 0 ? [$to.pos, $to.pos] : isInEmpty ? [$to.before(1), $to.after(1)] : [$to.after(1), $to.after(1)]
    const tr = state.tr.replaceWith(from, to, nodes.object.create({ block }))
    if (from + 1 === tr.doc.content.size) tr.insert(from + 1, nodes.paragraph.create())
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, from)).scrollIntoView())
    return true
  }

/** Changes attributes of the node at a place; it stays selected. */
export const setAttributes =
  (pos: number, attrs: Readonly<Record<string, unknown>>): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(pos)
    if (node === null) return false
    const tr = state.tr.setNodeMarkup(pos, null, { ...node.attrs, ...attrs }, node.marks)
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, pos)))
    return true
  }

export const removeAt =
  (pos: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(pos)
    if (node === null) return false
    const tr = state.tr.delete(pos, pos + node.nodeSize)
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(pos))))
    return true
  }

/** A list of the paragraphs selected; in a list, out of it. */
export const toggleList =
  (kind: 'bullets' | 'numbers'): Command =>
  (state, dispatch) =>
    chainCommands(wrapInList(nodes[kind]), liftListItem(nodes.item))(state, dispatch)

/** Deletes the variable before or after the caret as a whole. */
export const deleteVariable =
  (direction: 'before' | 'after'): Command =>
  (state, dispatch) => {
    const { empty, $from } = state.selection
    const node = direction === 'before' ? $from.nodeBefore : $from.nodeAfter
    if (!empty || node?.type !== nodes.variable) return false
    const from = direction === 'before' ? $from.pos - node.nodeSize : $from.pos
    dispatch?.(state.tr.delete(from, from + node.nodeSize).scrollIntoView())
    return true
  }

const insertBreak: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.break.create()).scrollIntoView())
  return true
})

/** Keys beside those of every editor. */
export const ownKeys: Readonly<Record<string, Command>> = {
  'Mod-b': toggle('b'),
  'Mod-i': toggle('i'),
  'Mod-u': toggle('u'),
  'Shift-Enter': insertBreak,
  Enter: splitListItem(nodes.item),
  'Mod-]': sinkListItem(nodes.item),
  'Mod-[': liftListItem(nodes.item),
  Backspace: deleteVariable('before'),
  Delete: deleteVariable('after'),
}
