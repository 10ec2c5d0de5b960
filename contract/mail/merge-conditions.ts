/** A test of a merge variable. `filled`: its value is not empty. Texts are compared without regard to case. */
export interface MergeCondition {
  readonly name: string
  readonly operator: 'filled' | 'is' | 'is_not'
  /** The text that the value is compared with; '' for `filled`. */
  readonly value: string
}

/** Where a conditional part of a template begins, changes to its other branch, and ends. Marks are paired and not nested. */
export type ConditionMark =
  | ({ readonly mark: 'if' } & MergeCondition)
  | { readonly mark: 'else' }
  | { readonly mark: 'end' }

/** A mark at a place of a text. Sticky: another text is given up at once. */
const markTag = /\s*(?:#if\s+([\p{L}_][\p{L}\p{N}_.-]*)(?:\s*(==|!=)\s*(?:"([^"{}]*)"|'([^'{}]*)'))?|(else)|\/if)\s*/uy

/** The mark that fills `text` from `start` to `end`, which are the places inside its braces; null for another text. */
export function readConditionMark(text: string, start: number, end: number): ConditionMark | null {
  markTag.lastIndex = start
  const match = markTag.exec(text)
  if (match === null || markTag.lastIndex !== end) return null
  const [, name, sign, double, single, other] = match
  if (other !== undefined) return { mark: 'else' }
  if (name === undefined) return { mark: 'end' }
  const operator = sign === undefined ? 'filled' : sign === '==' ? 'is' : 'is_not'
  return { mark: 'if', name, operator, value: double ?? single ?? '' }
}

/** Whether a condition holds for a value. An absent value is an empty text; `false` is not `filled`. */
export function conditionHolds(
  { operator, value }: MergeCondition,
  given: string | number | boolean | undefined,
): boolean {
  const text = given === undefined ? '' : String(given)
  if (operator === 'filled') return text !== '' && given !== false
  return (text.toLowerCase() === value.toLowerCase()) === (operator === 'is')
}

/** The mark of a condition that has not ended: its place in the text, and in the parts. */
export interface OpenMark {
  at: number
  index: number
  elseIndex: number | null
}

/** Pairs marks while a template is read: which of them fit, and which is still open. */
export class MarkPairing {
  open: OpenMark | null = null

  /** Notes a mark; returns why it does not fit, or null. */
  add({ mark }: ConditionMark, at: number, index: number): string | null {
    if (mark === 'if') {
      if (this.open) return 'A condition cannot be inside another. Close the first one with {{/if}} before it.'
      this.open = { at, index, elseIndex: null }
      return null
    }
    if (this.open === null) return `“{{${mark === 'else' ? 'else' : '/if'}}}” has no {{#if name}} before it.`
    if (mark === 'end') this.open = null
    else if (this.open.elseIndex !== null) return 'A condition has one {{else}} only. Remove the second one.'
    else this.open.elseIndex = index
    return null
  }
}
