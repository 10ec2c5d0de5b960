import type { ComponentType, ReactNode } from 'react'
import type { Design } from '../../contract/design/design.ts'
import type { Snapshot } from 'valtio/vanilla'
import type { Session } from '../../client/core/http.ts'
import type { HtmlMail } from '../../contract/mail/message.ts'
import type { Notify } from '../lib/notify.ts'
import type { Recipient } from '../lib/recipients.ts'
import type { SnippetName } from './editor/snippets.ts'
import type { AudienceRef, ComposeState, Draft, Launched, MailFields, Mode } from './compose-state.ts'

/** Keeps the draft of one composer; handed to it by pages that have a place for drafts. */
export type DraftKeeper = (composer: ComposeStore) => { close(): void } | undefined

/** Mounts the template picker in a place, to pick or to begin with its create dialog; returns the undo. */
export type OpenPicker = (
  place: HTMLElement,
  how: {
    start: 'pick' | 'create'
    draft: { subject: string; body: string; design?: Design | null; words?: string; preheader?: string }
  },
) => Promise<() => void>

export interface ComposeDeps extends Partial<Pick<ComposeState, 'hide' | 'readonly' | 'attaching'>> {
  session: Session
  notify: Notify
  /** The mode of a new message; default Text. */
  mode?: Mode | undefined
  /** Whether the text behind the subject in the inbox can be written. */
  hasPreheader?: boolean | undefined
  /** Loads what shows the code of a mail as it leaves; without it this is not offered. */
  loadSentSource?: (() => Promise<SentSourcePart>) | undefined
  /** Called when the person chooses another mode. */
  onMode?: ((mode: Mode) => void) | undefined
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
  /** Loads the block editor; without it a message cannot be written in Design mode. */
  loadDesign?: (() => Promise<DesignPart>) | undefined
  /** Lists and segments that the page opens the composer for. */
  startAudience?: readonly AudienceRef[] | undefined
  /** Contacts that the page opens the composer for. */
  startContacts?: readonly StartContact[] | undefined
  /** Loads further fields, sending at a later time, and the check; without it none of them is offered. */
  loadExtras?: (() => Promise<ComposeExtras>) | undefined
  /** Where messages that wait for their time are listed. */
  scheduledHref?: string | undefined
  /** Saves what is opened again, in place of sending; may throw an ApiError. */
  submit?: ((composer: ComposeStore, mail: HtmlMail) => Promise<void>) | undefined
  /** Takes a file with more rows than the composer does. */
  openImport?: ((file: File) => Promise<void>) | undefined
  /** For how many seconds a launch can be undone; without it not at all. */
  undoSeconds?: (() => number) | undefined
  /** Called once the server has accepted what was launched, with the count of recipients. */
  onSent?: (launched: Launched, acceptedCount: number) => void
}

/** A recipient with the values of its fields. */
export interface StartContact {
  email: string
  context: Readonly<Record<string, string>>
}

/** What shows a mail as it leaves. */
export interface SentSourcePart {
  SentSource: ComponentType<{ store: ComposeStore; reader: Recipient | undefined }>
}

/** What a page that may read contacts adds to the recipients. */
export interface AudiencePart {
  AudienceSources: ComponentType<{ store: ComposeStore }>
  AudienceTotal: ComponentType<{ store: ComposeStore }>
}

/** What a page adds to the composer for Design mode. */
export interface DesignPart {
  DesignBody: ComponentType<{ store: ComposeStore; onTools: (tools: BodyTools | null) => void }>
}

/** What the buttons above the message do in a mode that has its own editor. */
export interface BodyTools {
  apply: (name: SnippetName) => void
  /** Further buttons, which only this mode has. */
  more?: ReactNode
}

/** Parts of the composer that only its owner's pages have. */
export interface ComposeExtras {
  HeaderFields: ComponentType<{ store: ComposeStore }>
  LaterButton: ComponentType<{ store: ComposeStore; isDisabled: boolean }>
  /** The check, once something is written, and the dialog for a later time. */
  SideParts: ComponentType<{ store: ComposeStore; isWriting: boolean }>
  /** The further fields as calls take them. Throws an Error for an entry that is no address. */
  mailFieldsOf: (fields: Snapshot<MailFields>) => Partial<HtmlMail>
}

/** State and actions of one composer. */
export interface ComposeStore extends Omit<ComposeDeps, 'hide' | 'readonly' | 'mode'> {
  readonly state: ComposeState
  /** Sets fields of the view. */
  set: (
    change: Partial<
      Pick<
        ComposeState,
        | 'status'
        | 'footer'
        | 'entry'
        | 'attaching'
        | 'picker'
        | 'launched'
        | 'undo'
        | 'report'
        | 'mapped'
        | 'tags'
        | 'hide'
        | 'readonly'
      >
    >,
  ) => void
  choose: (secretKey: string) => void
  /** Writes what an editor still holds back; set while there is one. */
  settle?: (() => void) | undefined
  /** Snippets of tools that were pressed before the mode had its tools, in their order. */
  readonly pressed: SnippetName[]
  write: (change: Partial<Draft>) => void
  /** Adds those of a text or a file. One after the other, so that they stay in their order; a launch waits for those under way. */
  addRecipients: (from: string | File) => Promise<void>
  /** Loads further people for the preview: the next ones, or those whose address begins so. */
  findReaders?: (address?: string) => Promise<void>
  /** Turns the text of the box into recipients. */
  addEntry: () => Promise<void>
  reloadSenders: () => Promise<void>
  /** Sends, or says why not; asks first where something would be left out, and for the time if it is for later. */
  launch: (isLater?: boolean) => Promise<void>
  /** Ends its timers; a send that is under way still ends well. */
  close: () => void
}
