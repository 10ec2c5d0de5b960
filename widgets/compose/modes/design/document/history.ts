import type { Design } from '../../../../../contract/design/design.ts'

/** The design with what undo and redo lead to. */
export interface History {
  readonly present: Design
  readonly past: readonly Design[]
  readonly future: readonly Design[]
  /** Changes with the same key within a pause are one step, such as typing in one field. */
  readonly key: string | null
  readonly changedAt: number
}

/** Steps that can be undone. */
const stepsMaxCount = 200
const pauseMs = 1000

export const startHistory = (present: Design): History => ({ present, past: [], future: [], key: null, changedAt: 0 })

/** Adds a step. `now` in ms; `key` null for a step of its own. The same history for the same design. */
export function record(history: History, next: Design, key: string | null, now: number): History {
  if (next === history.present) return history
  const joins = key !== null && key === history.key && now - history.changedAt < pauseMs && history.past.length > 0
  const past = joins ? history.past : [...history.past, history.present].slice(-stepsMaxCount)
  return { present: next, past, future: [], key, changedAt: now }
}

export function undo({ present, past, future }: History): History | null {
  const last = past.at(-1)
  if (last === undefined) return null
  return { present: last, past: past.slice(0, -1), future: [present, ...future], key: null, changedAt: 0 }
}

export function redo({ present, past, future }: History): History | null {
  const [next, ...rest] = future
  if (next === undefined) return null
  return { present: next, past: [...past, present], future: rest, key: null, changedAt: 0 }
}
