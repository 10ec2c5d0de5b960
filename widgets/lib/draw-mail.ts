import { cutAttribute } from './cut-attribute.ts'
import type { MailPiece, MailSlot } from './mail-pieces.ts'

const separator = `<i ${cutAttribute}=""></i>`

/** Reads HTML into sanitised nodes, and leaves the cut attribute on them. */
export type ReadMail = (html: string) => ParentNode & Node

/** A piece in the page; `drawn` are its slots, null if they could not be identified. */
export interface DrawnPiece extends MailPiece {
  nodes: ChildNode[]
  drawn: DrawnSlot[] | null
}

interface DrawnSlot {
  element: Element
  pieces: DrawnPiece[]
}

/** Draws the changes since `before` into a place, and keeps the rest. */
export function drawPieces(
  place: Node,
  before: readonly DrawnPiece[],
  next: readonly MailPiece[],
  read: ReadMail,
): DrawnPiece[] {
  let head = 0
  while (head < before.length && before[head]?.source === next[head]?.source) head++
  let tail = 0
  const most = Math.min(before.length, next.length) - head
  while (tail < most && before.at(-1 - tail)?.source === next.at(-1 - tail)?.source) tail++
  const gone = before.slice(head, before.length - tail)
  const fresh = next.slice(head, next.length - tail)
  const kept = before.slice(before.length - tail)
  const within = drawWithin(gone, fresh, read)
  if (within !== null) return [...before.slice(0, head), within, ...kept]
  for (const { nodes } of gone) for (const node of nodes) node.remove()
  const anchor = kept.flatMap(({ nodes }) => nodes)[0] ?? null
  const made = runsOf(fresh).flatMap((run) => {
    const nodes = read(markPieces(run))
    const pieces = findPieces(nodes, run)
    place.insertBefore(fragmentOf(nodes), anchor)
    return pieces
  })
  return [...before.slice(0, head), ...made, ...kept]
}

/** Where one piece took the place of one, and differs only inside its slots, those alone are drawn. */
function drawWithin(gone: readonly DrawnPiece[], fresh: readonly MailPiece[], read: ReadMail): DrawnPiece | null {
  const [old, piece] = [gone[0], fresh[0]]
  if (gone.length !== 1 || fresh.length !== 1 || !old?.drawn || !piece || piece.slots.length === 0) return null
  if (shellOf(old) !== shellOf(piece)) return null
  const drawn = old.drawn.map(({ element, pieces }, at) => ({
    element,
    pieces: drawPieces(element, pieces, piece.slots[at]?.pieces ?? [], read),
  }))
  return { ...piece, nodes: old.nodes, drawn }
}

/** A piece's source without the content of its slots. */
function shellOf({ source, slots }: MailPiece): string {
  const ends = [0, ...slots.map(({ to }) => to)]
  return ends.map((end, at) => source.slice(end, slots[at]?.from)).join('\0')
}

/** Ranges that are parsed in one pass: parsing restarts at the head and the foot of a document. */
function runsOf(pieces: readonly MailPiece[]): MailPiece[][] {
  const runs: MailPiece[][] = []
  for (const piece of pieces) {
    const run = runs.at(-1)
    if (run && !piece.isApart && !run[0]?.isApart) run.push(piece)
    else runs.push([piece])
  }
  return runs
}

/** The pieces' HTML with marks by which `findPieces` finds their nodes. */
export function markPieces(pieces: readonly MailPiece[]): string {
  let count = 0
  const mark = ({ source, slots }: MailPiece): string => {
    let at = 0
    let marked = ''
    for (const { from, to, pieces: inner } of slots) {
      marked += `${source.slice(at, from - 1)} ${cutAttribute}="${count++}">${inner.map(mark).join(separator)}`
      at = to
    }
    return marked + source.slice(at)
  }
  return pieces.map(mark).join(separator)
}

/** Finds the marked pieces among the nodes that were read of them, and takes the marks out. */
export function findPieces(nodes: ParentNode & Node, pieces: readonly MailPiece[]): DrawnPiece[] {
  const marked = [...nodes.querySelectorAll(`[${cutAttribute}]`)]
  const elements = new Map(marked.map((element) => [element.getAttribute(cutAttribute) ?? '', element]))
  let count = 0
  const find = (within: Node, inner: readonly MailPiece[]): DrawnPiece[] | null => {
    const groups = groupsOf(within)
    // The slots are counted even where they are not found, in the order in which they were marked.
    const drawn = inner.map(({ slots }) => findSlots(slots))
    if (groups.length !== inner.length) return null
    return inner.map((piece, at) => ({ ...piece, nodes: groups[at] ?? [], drawn: drawn[at] ?? null }))
  }
  const findSlots = (slots: readonly MailSlot[]): DrawnSlot[] | null => {
    const found = slots.map((slot) => {
      const element = elements.get(String(count++))
      const inside = find(element ?? document.createDocumentFragment(), slot.pieces)
      return element && inside && { element, pieces: inside }
    })
    return found.every((slot) => slot) ? (found as DrawnSlot[]) : null
  }
  const found = find(nodes, pieces)
  for (const element of marked) {
    if (isSeparator(element)) element.remove()
    else element.removeAttribute(cutAttribute)
  }
  if (found !== null) return found
  // All of it is apart: as a piece it would be gone from the next drawing, which has none.
  if (pieces.length === 0) return []
  return [{ source: pieces.map(({ source }) => source).join(''), slots: [], nodes: [...nodes.childNodes], drawn: null }]
}

/** The cells between the separators. */
function groupsOf(within: Node): ChildNode[][] {
  const groups: ChildNode[][] = [[]]
  for (const node of within.childNodes) {
    if (isSeparator(node)) groups.push([])
    else groups.at(-1)?.push(node)
  }
  return groups
}

function isSeparator(node: Node): boolean {
  return node.nodeName === 'I' && (node as Element).getAttribute(cutAttribute) === ''
}

function fragmentOf(nodes: ParentNode & Node): Node {
  const fragment = document.createDocumentFragment()
  fragment.append(...nodes.childNodes)
  return fragment
}
