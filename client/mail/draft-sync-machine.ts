/**
 * `idle`: the server has the draft, or refuses it. `waiting`: a timer runs. `saving`: a call is in progress. `resaving`: the
 * same, and the content has changed since. `closing`: the last call is in progress, nothing follows it.
 */
export type SyncState = 'idle' | 'waiting' | 'saving' | 'resaving' | 'closing' | 'closed'

/** `refused`: the server does not take this content, so a retry is useless. `closeUnsaved`: closed with unsaved content. */
export type SyncEvent = 'start' | 'edit' | 'timer' | 'saved' | 'failed' | 'refused' | 'close' | 'closeUnsaved'

/** `load`: start the timer without delay. `debounce`: until typing rests. `retry`: with back-off. `save`: call the server. */
export type SyncEffect = 'load' | 'debounce' | 'retry' | 'save'

export type SyncTransition = readonly [next: SyncState, effect?: SyncEffect]

/** Transitions by state and event. Any other event leaves the state as it is. */
export const transitions: Readonly<Record<SyncState, Readonly<Partial<Record<SyncEvent, SyncTransition>>>>> = {
  idle: {
    start: ['waiting', 'load'],
    edit: ['waiting', 'debounce'],
    close: ['closed'],
    closeUnsaved: ['closing', 'save'],
  },
  waiting: {
    edit: ['waiting', 'debounce'],
    timer: ['saving', 'save'],
    close: ['closed'],
    closeUnsaved: ['closing', 'save'],
  },
  saving: {
    edit: ['resaving'],
    saved: ['idle'],
    refused: ['idle'],
    failed: ['waiting', 'retry'],
    close: ['closing'],
    closeUnsaved: ['closing'],
  },
  resaving: {
    saved: ['waiting', 'debounce'],
    refused: ['waiting', 'debounce'],
    failed: ['waiting', 'retry'],
    close: ['closing'],
    closeUnsaved: ['closing'],
  },
  closing: { saved: ['closed'], refused: ['closed'], failed: ['closed'] },
  closed: {},
}
