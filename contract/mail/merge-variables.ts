import {
  conditionHolds,
  MarkPairing,
  readConditionMark,
  type ConditionMark,
  type MergeCondition,
  type OpenMark,
} from './merge-conditions.ts'
import { nameIn, variableKey, type MergeContext } from '../core/variable-names.ts'

export { mergeContexts, nameIn, variableKey, type MergeContext } from '../core/variable-names.ts'

/** A variable of a template, with its fallback. */
export interface MergeVariable {
  readonly name: string
  readonly fallback: string
}

/** A piece of a template: literal text, a variable, or the border of a conditional part. */
export type TemplatePart = string | MergeVariable | ConditionMark

export function isVariable(part: TemplatePart): part is MergeVariable {
  return typeof part !== 'string' && !('mark' in part)
}

/** A template that cannot be read; `line` and `column` count from 1. */
export class MergeSyntaxError extends Error {
  readonly line: number
  readonly column: number

  constructor(what: string, text: string, at: number) {
    const before = text.slice(0, at).split('\n')
    const line = before.length
    const column = (before.at(-1) ?? '').length + 1
    super(`Line ${line}, column ${column}: ${what}`)
    this.name = 'MergeSyntaxError'
    this.line = line
    this.column = column
  }
}

/** A variable at a place of a text, with its default and the blanks around it. Sticky: another text is given up at once. */
const tag =
  /\s*(?:&\s*)?([\p{L}_][\p{L}\p{N}_.-]*)(?:\s*\|\s*default:\s*(?:"([^"]*)"|'([^']*)'|(-?[\p{L}\p{N}_.]+)))?\s*/uy

/**
 * Splits a template into text and variables: `{{name}}` and `{{name | default: "there"}}`. `{{{name}}}` and `{{&name}}`
 * mean the same as `{{name}}`: there is no unescaped form. `\{{` is a literal pair of braces. `{{#if name}}`,
 * `{{#if name == "text"}}` or `{{#if name != "text"}}` … `{{else}}` … `{{/if}}` is a conditional part; they do not nest.
 * Throws MergeSyntaxError for braces that never close, for tags that are not a variable and for unpaired conditions.
 */
export function parseTemplate(text: string): TemplatePart[] {
  return readTemplate(text, (problem) => {
    throw problem
  })
}

/** As parseTemplate, but unreadable parts stay as text, and `onProblem` gets the first of them. Linear. */
export function readTemplate(text: string, onProblem: (problem: MergeSyntaxError) => void): TemplatePart[] {
  const parts: TemplatePart[] = []
  /** Where the next marks of an end are, as found last: none is looked for twice. */
  const ends: Record<string, number> = {}
  const pairing = new MarkPairing()
  let literal = ''
  let from = 0
  let isReported = false
  const refuse = (what: () => string, at: number) => {
    if (!isReported) onProblem(new MergeSyntaxError(what(), text, at))
    isReported = true
  }
  for (;;) {
    const open = text.indexOf('{{', from)
    if (open < 0) break
    if (text[open - 1] === '\\' && open > from) {
      literal += `${text.slice(from, open - 1)}{{`
      from = open + 2
      continue
    }
    literal += text.slice(from, open)
    const triple = text.startsWith('{{{', open)
    const closing = triple ? '}}}' : '}}'
    const start = open + closing.length
    let end = ends[closing] ?? 0
    if (end >= 0 && end < start) end = ends[closing] = text.indexOf(closing, start)
    if (end < 0) {
      refuse(() => `“{{” has no “${closing}” to close it. Write “\\{{” for plain braces.`, open)
      literal += text.slice(open, start)
      from = start
      if (triple) continue
      break
    }
    const mark = triple ? null : readConditionMark(text, start, end)
    const part = mark ?? readVariable(text, start, end)
    const index = parts.length + (literal === '' ? 0 : 1)
    const problem = mark && pairing.add(mark, open, index)
    if (part === null || problem !== null) {
      refuse(() => problem ?? notAVariable(text.slice(start, end).trim()), open)
      literal += text.slice(open, start)
      from = start
      continue
    }
    if (literal !== '') parts.push(literal)
    literal = ''
    parts.push(part)
    from = end + closing.length
  }
  literal += text.slice(from)
  if (literal !== '') parts.push(literal)
  const { open: unclosed } = pairing
  if (unclosed === null) return parts
  refuse(() => 'The condition has no {{/if}} to close it. Write {{/if}} after its text.', unclosed.at)
  restoreMarks(parts, text, unclosed)
  return parts
}

/** Makes the marks of a condition that never ends text again. */
function restoreMarks(parts: TemplatePart[], text: string, { at, index, elseIndex }: OpenMark): void {
  parts[index] = text.slice(at, text.indexOf('}}', at) + 2)
  if (elseIndex !== null) parts[elseIndex] = '{{else}}'
}

/** The variable that fills `text` from `start` to `end`, which are the places inside its braces; null for another text. */
function readVariable(text: string, start: number, end: number): MergeVariable | null {
  tag.lastIndex = start
  const match = tag.exec(text)
  if (match?.[1] === undefined || tag.lastIndex !== end) return null
  return { name: match[1], fallback: match[2] ?? match[3] ?? match[4] ?? '' }
}

function notAVariable(inner: string): string {
  const shown = inner.length > 40 ? `${inner.slice(0, 40)}…` : inner
  if (/^#if\b/.test(inner))
    return `“{{${shown}}}” is not a condition. Write {{#if name}}, {{#if name == "text"}} or {{#if name != "text"}}.`
  return `“{{${shown}}}” is not a merge variable. Write {{name}} or {{name | default: "text"}}.`
}

/** Unique names of a template's variables, in order of first occurrence. */
export function variablesOf(parts: readonly TemplatePart[]): string[] {
  return [...new Set(parts.flatMap((part) => (typeof part !== 'string' && 'name' in part ? [part.name] : [])))]
}

/** Unique names of the variables that every recipient gets: those outside of conditional parts. */
export function unconditionalVariables(parts: readonly TemplatePart[]): string[] {
  let isConditional = false
  const shown = parts.filter((part) => {
    if (typeof part !== 'string' && 'mark' in part) isConditional = part.mark !== 'end'
    return !isConditional && typeof part !== 'string' && !('mark' in part)
  })
  return variablesOf(shown)
}

/**
 * Names of the variables that come out empty with this context: it has no value for them, nor have they a fallback.
 * A variable whose own condition requires a value is not among them.
 */
export function unfilledVariables(parts: readonly TemplatePart[], context: MergeContext): string[] {
  let guarded: string | null = null
  const isSame = (name: string, other: string | null) => other !== null && variableKey(name) === variableKey(other)
  const unfilled = parts.filter((part) => {
    if (typeof part === 'string') return false
    if (!('mark' in part))
      return part.fallback === '' && !isSame(part.name, guarded) && nameIn(context, part.name) === undefined
    guarded = part.mark === 'if' && part.operator !== 'is_not' ? part.name : null
    return false
  })
  return variablesOf(unfilled)
}

/**
 * Fills a template in one pass: a value that holds braces is not read again. A variable takes the value of its own
 * spelling, else of another spelling with the same key (`nameIn`), else its fallback, else nothing. `escape` is applied to values and fallbacks, never to the template's own text.
 */
export function fillTemplate(
  parts: readonly TemplatePart[],
  context: MergeContext,
  escape: (value: string) => string = (value) => value,
): string {
  const valueOf = (name: string) => {
    const spelling = nameIn(context, name)
    return spelling === undefined ? undefined : context[spelling]
  }
  return fillParts(
    parts,
    ({ name, fallback }) => escape(String(valueOf(name) ?? fallback)),
    (condition) => conditionHolds(condition, valueOf(condition.name)),
  )
}

/** Fills a template with the texts that `fill` gives for its variables; `holds` decides its conditions. */
export function fillParts(
  parts: readonly TemplatePart[],
  fill: (variable: MergeVariable) => string,
  holds: (condition: MergeCondition) => boolean,
): string {
  let filled = ''
  let isShown = true
  for (const part of parts) {
    if (typeof part === 'string') filled += isShown ? part : ''
    else if (!('mark' in part)) filled += isShown ? fill(part) : ''
    else if (part.mark === 'if') isShown = holds(part)
    else isShown = part.mark === 'end' || !isShown
  }
  return filled
}

/** Escapes a value for HTML text and quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (found) => htmlEntities[found] ?? found)
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes a value fit for one header line: line breaks and other controls become one blank (RFC 5322 §2.2). */
export function escapeHeader(value: string): string {
  return value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
