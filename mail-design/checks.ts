import { designFaultsMaxCount } from '../contract/design/design.limits.ts'
import type { DesignFault } from '../contract/design/design.ts'

/** The state of one check: where it is, and what it has found and counted. */
export interface CheckState {
  path: (string | number)[]
  faults: DesignFault[]
  ids: Set<string>
  blockCount: number
  cellBlockCount: number
  tableDepth: number
  /** Whether the row has a condition: its texts cannot have any. */
  isConditional: boolean
}

/** Adds the faults of a value to the state. */
export type Check = (value: unknown, state: CheckState) => void

export function addFault(state: CheckState, reason: string): void {
  if (state.faults.length < designFaultsMaxCount) state.faults.push({ path: [...state.path], reason })
}

export function checkAt(key: string | number, value: unknown, check: Check, state: CheckState): void {
  if (state.faults.length >= designFaultsMaxCount) return
  state.path.push(key)
  check(value, state)
  state.path.pop()
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object with these fields and no others. */
export function object(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Check {
  return (value, state) => {
    if (!isRecord(value)) {
      addFault(state, 'It must be an object.')
      return
    }
    for (const [key, check] of Object.entries(required)) {
      if (Object.hasOwn(value, key)) checkAt(key, value[key], check, state)
      else checkAt(key, null, (_value, at) => addFault(at, 'It is missing.'), state)
    }
    for (const [key, check] of Object.entries(optional))
      if (Object.hasOwn(value, key)) checkAt(key, value[key], check, state)
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(required, key) || Object.hasOwn(optional, key)) continue
      checkAt(key.slice(0, 60), null, (_value, at) => addFault(at, 'This field does not exist. Remove it.'), state)
      if (state.faults.length >= designFaultsMaxCount) return
    }
  }
}

export function list(item: Check, maxCount: number, minCount = 0): Check {
  return (value, state) => {
    if (!Array.isArray(value)) {
      addFault(state, 'It must be a list.')
      return
    }
    if (value.length > maxCount || value.length < minCount)
      addFault(
        state,
        `It has ${value.length} items; ${minCount > 0 ? `${minCount} to ` : 'at most '}${maxCount} are allowed.`,
      )
    for (const [index, each] of value.slice(0, maxCount).entries()) checkAt(index, each, item, state)
  }
}

export function number(min: number, max: number): Check {
  return (value, state) => {
    if (typeof value !== 'number' || !(value >= min && value <= max))
      addFault(state, `It must be a number from ${min} to ${max}.`)
  }
}

/** A text of at most so many characters that a mail can hold. */
export function text(maxChars: number): Check {
  return (value, state) => {
    if (typeof value !== 'string') addFault(state, 'It must be a text.')
    else if (value.length > maxChars)
      addFault(state, `It has ${value.length} characters; at most ${maxChars} are allowed.`)
    else if (value.includes('\0') || !value.isWellFormed())
      addFault(state, 'It contains a NUL or an unpaired surrogate. Remove it.')
  }
}

export function oneOf(values: readonly (string | number)[]): Check {
  return (value, state) => {
    if (!values.includes(value as string)) addFault(state, `It must be one of ${values.join(', ')}.`)
  }
}

export const boolean: Check = (value, state) => {
  if (typeof value !== 'boolean') addFault(state, 'It must be true or false.')
}

/** Every check, in this order. */
export function all(...checks: readonly Check[]): Check {
  return (value, state) => {
    for (const check of checks) check(value, state)
  }
}
