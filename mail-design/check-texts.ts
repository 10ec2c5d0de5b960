import { addressMaxChars, designTextMaxChars } from '../contract/design/design.limits.ts'
import { isVariable, MergeSyntaxError, parseTemplate, type TemplatePart } from '../contract/mail/merge-variables.ts'
import { addFault, all, text, type Check, type CheckState } from './checks.ts'

const allowedScheme = /^(?:https?:\/\/|mailto:|tel:)/i
const imageScheme = /^https?:\/\//i
const variableName = /^[\p{L}_][\p{L}\p{N}_.-]{0,99}$/u

/** The parts of a text in merge grammar, or null with a fault. */
function readParts(value: string, state: CheckState): TemplatePart[] | null {
  try {
    return parseTemplate(value)
  } catch (error) {
    if (!(error instanceof MergeSyntaxError)) throw error
    addFault(state, error.message)
    return null
  }
}

function mergeGrammar(allowsConditions: (state: CheckState) => boolean): Check {
  return (value, state) => {
    if (typeof value !== 'string') return
    const parts = readParts(value, state)
    if (parts === null) return
    if (!allowsConditions(state) && parts.some((part) => typeof part !== 'string' && 'mark' in part))
      addFault(state, 'A condition cannot be used here. Use the condition of the row.')
    if (parts.some((part) => isVariable(part) && !isSafeDefault(part.fallback)))
      addFault(state, 'The default of a variable cannot contain < > { } or both kinds of quotes.')
  }
}

/** One line in merge grammar. */
export const label = (maxChars = designTextMaxChars): Check =>
  all(
    text(maxChars),
    mergeGrammar(() => false),
    (value, state) => {
      if (typeof value === 'string' && /[\r\n]/.test(value))
        addFault(state, 'It has a line break. Write it on one line.')
    },
  )

/** HTML in merge grammar; a row with a condition allows no further one. */
export const html = (maxChars: number): Check =>
  all(text(maxChars), (value, state) => {
    if (typeof value !== 'string') return
    const parts = readParts(value, state)
    if (parts !== null && state.isConditional && parts.some((part) => typeof part !== 'string' && 'mark' in part))
      addFault(state, 'A condition cannot be inside another: its row has one.')
  })

/** An address of a link in merge grammar: http, https, mailto or tel. */
export const address: Check = addressOf(
  allowedScheme,
  'Write an address that begins with https://, http://, mailto: or tel:.',
)

/** An address of an image in merge grammar: http or https. */
export const imageAddress: Check = addressOf(imageScheme, 'Write an address that begins with https:// or http://.')

function addressOf(scheme: RegExp, sentence: string): Check {
  return all(text(addressMaxChars), (value, state) => {
    if (typeof value !== 'string') return
    mergeGrammar(() => false)(value, state)
    const parts = readParts(value, { ...state, faults: [] })
    const [first] = parts ?? []
    if (parts === null) return
    if (first === undefined) {
      addFault(state, sentence)
      return
    }
    const beginning = typeof first === 'string' ? first : 'mark' in first ? '' : first.fallback || 'https://'
    if (!scheme.test(beginning)) addFault(state, sentence)
    if (parts.some((part) => typeof part === 'string' && /[\s\p{Cc}\\]/u.test(part)))
      addFault(state, 'An address has no blanks, line breaks or backslashes. Write %20 for a blank.')
  })
}

/** Whether an address may be opened, for text that is typed or pasted. */
export function isAllowedAddress(value: string): boolean {
  const state = { path: [], faults: [], ids: new Set<string>(), blockCount: 0, cellBlockCount: 0, tableDepth: 0 }
  address(value, { ...state, isConditional: false })
  return state.faults.length === 0
}

export const variable: Check = (value, state) => {
  if (typeof value !== 'string' || !variableName.test(value))
    addFault(state, 'A variable has letters, digits, _ . and -, and begins with a letter.')
}

/** A text in quotes of the merge grammar. */
export const quoted: Check = all(text(200), (value, state) => {
  if (typeof value === 'string' && !isSafeDefault(value))
    addFault(state, 'It cannot contain < > { } or both kinds of quotes.')
})

function isSafeDefault(value: string): boolean {
  return !/[<>{}\r\n]/.test(value) && !(value.includes('"') && value.includes("'"))
}
