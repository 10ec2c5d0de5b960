import { Fragment, type Node } from '@tiptap/pm/model'
import { isVariable, readTemplate } from '../../../../contract/mail/merge-variables.ts'
import { schema } from './schema.ts'

const { nodes } = schema

/** Text as nodes: `{{name}}` is a variable, a line end a line break. */
export function inlineOf(text: string): Node[] {
  return readTemplate(text, () => undefined).flatMap((part) => {
    if (typeof part === 'string') return linesOf(part)
    return isVariable(part) ? [nodes.variable.create({ name: part.name, fallback: part.fallback })] : []
  })
}

function linesOf(text: string): Node[] {
  return text
    .split(/\r\n?|\n/)
    .flatMap((line, at) => [...(at > 0 ? [nodes.break.create()] : []), ...(line === '' ? [] : [schema.text(line)])])
}

/** Text as paragraphs: an empty line ends one. */
export function paragraphsOf(text: string): Node[] {
  return text.split('\n\n').map((part) => nodes.paragraph.create(null, inlineOf(part)))
}

/** The content of a whole document. */
export const contentOf = (text: string): Fragment => Fragment.from(paragraphsOf(text))

/** The place in the document of `paragraphsOf(text)` that a place in the text became. */
export function placeOf(text: string, offset: number): number {
  let [place, start] = [1, 0]
  for (const part of text.split('\n\n')) {
    const end = start + part.length
    if (offset <= end + 1) return place + sizeOf(part.slice(0, beforeVariable(part, Math.min(offset, end) - start)))
    place += sizeOf(part) + 2
    start = end + 2
  }
  return place
}

const sizeOf = (text: string) => Fragment.from(inlineOf(text)).size

/** The place itself; the start of the variable that it is inside of. */
function beforeVariable(text: string, offset: number): number {
  for (const { 0: found, index } of text.matchAll(/\{\{[^{}]*\}\}/g)) {
    const isInside = index < offset && offset < index + found.length
    if (isInside && inlineOf(found)[0]?.type === nodes.variable) return index
  }
  return offset
}
