import { describe, expect, it } from 'vitest'
import {
  transitions,
  type SyncEffect,
  type SyncEvent,
  type SyncState,
  type SyncTransition,
} from './draft-sync-machine.ts'

/** Where a sequence of events leads from `idle`, and the effects on the way. */
function run(...events: SyncEvent[]): { state: SyncState; effects: SyncEffect[] } {
  let state: SyncState = 'idle'
  const effects: SyncEffect[] = []
  for (const event of events) {
    const transition: SyncTransition | undefined = transitions[state][event]
    if (transition?.[1]) effects.push(transition[1])
    state = transition?.[0] ?? state
  }
  return { state, effects }
}

describe('the synchronisation of a draft', () => {
  it.each<[SyncEvent[], SyncState, SyncEffect[]]>([
    [['start', 'timer', 'saved'], 'idle', ['load', 'save']],
    [['edit', 'edit', 'timer', 'saved'], 'idle', ['debounce', 'debounce', 'save']],
    [['edit', 'timer', 'edit', 'saved'], 'waiting', ['debounce', 'save', 'debounce']],
    [['edit', 'timer', 'failed', 'timer', 'saved'], 'idle', ['debounce', 'save', 'retry', 'save']],
    [['edit', 'timer', 'refused', 'timer'], 'idle', ['debounce', 'save']],
    [['edit', 'timer', 'edit', 'refused'], 'waiting', ['debounce', 'save', 'debounce']],
    [['edit', 'closeUnsaved', 'edit', 'timer', 'saved'], 'closed', ['debounce', 'save']],
    [['edit', 'timer', 'edit', 'closeUnsaved', 'failed', 'timer'], 'closed', ['debounce', 'save']],
    [['start', 'close', 'timer', 'edit'], 'closed', ['load']],
  ])('%j leads to %s', (events, state, effects) => {
    expect(run(...events)).toEqual({ state, effects })
  })

  it('makes one call at a time: no event starts a call while one is in progress', () => {
    const busy = ['saving', 'resaving', 'closing'] as const
    const starts = busy.flatMap((state) => Object.values(transitions[state]).filter(([, effect]) => effect === 'save'))
    expect(starts).toEqual([])
  })
})
