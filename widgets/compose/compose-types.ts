import type { ComponentType } from 'react'
import type { Session } from '../../client/core/http.ts'
import type { Notify } from '../lib/notify.ts'
import type { AudienceRef, ComposeState, Draft, Launched } from './compose-state.ts'

/** Keeps the draft of one composer; handed to it by pages that have a place for drafts. */
export type DraftKeeper = (composer: ComposeStore) => { close(): void } | undefined

/** Mounts the template picker in a place, to pick or to begin with its create dialog; returns the undo. */
export type OpenPicker = (
  place: HTMLElement,
  how: { start: 'pick' | 'create'; draft: { subject: string; body: string } },
) => Promise<() => void>

export interface ComposeDeps extends Partial<Pick<ComposeState, 'hide' | 'readonly'>> {
  session: Session
  notify: Notify
  drafts?: DraftKeeper | undefined
  openPicker?: OpenPicker | undefined
  /** Address of the signed-in person, to whom a test goes; '' for the chosen mailbox itself. */
  testAddress?: string | undefined
  /** Where the list of suppressions is shown; without it nothing leads there. */
  suppressionsHref?: string | undefined
  /** Where what was launched has a page; without it nothing leads there. */
  launchedHref?: ((launched: Launched) => string) | undefined
  /** Loads the part for lists, segments and contacts; without it only files and pastes are offered. */
  loadAudience?: (() => Promise<AudiencePart>) | undefined
  /** Lists and segments that the page opens the composer for. */
  startAudience?: readonly AudienceRef[] | undefined
  /** Takes a file with more rows than the composer does. */
  openImport?: ((file: File) => Promise<void>) | undefined
  /** Called once the server has accepted what was launched, with the count of recipients. */
  onSent?: (launched: Launched, acceptedCount: number) => void
}

/** What a page that may read contacts adds to the recipients. */
export interface AudiencePart {
  AudienceSources: ComponentType<{ store: ComposeStore }>
  AudienceTotal: ComponentType<{ store: ComposeStore }>
}

/** State and actions of one composer. */
export interface ComposeStore extends Omit<ComposeDeps, 'hide' | 'readonly'> {
  readonly state: ComposeState
  /** Sets fields of the view. */
  set: (
    change: Partial<
      Pick<ComposeState, 'entry' | 'picker' | 'launched' | 'undo' | 'report' | 'mapped' | 'tags' | 'hide' | 'readonly'>
    >,
  ) => void
  choose: (secretKey: string) => void
  write: (change: Partial<Draft>) => void
  /** Adds those of a text or a file. One after the other, so that they stay in their order; a launch waits for those under way. */
  addRecipients: (from: string | File) => Promise<void>
  /** Loads further people for the preview: the next ones, or those whose address begins so. */
  findReaders?: (address?: string) => Promise<void>
  /** Turns the text of the box into recipients. */
  addEntry: () => Promise<void>
  reloadSenders: () => Promise<void>
  /** Sends, or says why not; asks first where something would be left out. */
  launch: () => Promise<void>
  /** Ends its timers; a send that is under way still ends well. */
  close: () => void
}
