import type { Snapshot } from 'valtio/vanilla'
import type { AudienceCount } from '../../contract/audience/campaign-audience.ts'
import type { MailboxRows } from '../../client/mail/mailbox-list.ts'
import type { Design } from '../../contract/design/design.ts'
import type { Accepted } from '../../contract/mail/message.ts'
import type { checklist } from '../lib/compose-messages.ts'
import type { Message } from '../lib/messages/message.ts'
import type { RecipientColumn } from '../lib/recipient-rows.ts'
import type { Recipient } from '../lib/recipients.ts'

/** Where several recipients came from together: entries of `Draft.recipients` name it by its id. */
export interface Source {
  id: string
  kind: 'file' | 'paste' | 'contacts'
  /** Name of the file, or of what was chosen; '' for a paste. */
  name: string
  /** Columns that fill merge variables, in their order. */
  columns: readonly RecipientColumn[]
}

/** A list or segment whose people get the mail, or do not get it. */
export interface AudienceRef {
  kind: 'list' | 'segment'
  id: string
  /** As it was when it was chosen; '' where that is not known. */
  name: string
  isExcluded?: boolean
}

/** An uploaded file of the draft; `size` in bytes. */
export interface AttachedFile {
  uploadId: string
  filename: string
  size: number
}

/** A file on its way; `share` of it was sent, 0 to 1. `problem`: why it is not attached. */
export interface AttachingFile {
  id: number
  name: string
  share: number
  problem: string | null
}

/** What the server knows of the lists and segments of a draft. */
export interface AudienceState {
  lists: readonly { id: string; name: string; count: number | null }[]
  segments: readonly { id: string; name: string; count: number | null }[]
  /** Of the two lists above. */
  status: 'loading' | 'ready' | 'failed'
  /** Merge variables that contacts fill. */
  fields: readonly string[]
  counted: AudienceCount | null
  /** Why the people could not be counted. */
  problem: string | null
  /** Some of the people, for the preview. */
  readers: readonly Recipient[]
}

/** What the last paste or file came to. */
export interface SourceReport {
  /** Its source; '' where nothing was added. */
  id: string
  what: Message
  /** `reading` while a file is read; `problem` where it was not taken. */
  status: 'reading' | 'problem' | 'added' | 'undone'
  emptyCount: number
  /** Entries that are no address. */
  refused: readonly Recipient[]
  /** What an undo took out, for a redo. */
  removed: Pick<Draft, 'recipients' | 'sources'> | null
}

/** Further fields of a message, as they are typed; absent where a field is empty. Addresses are separated by commas. */
export interface MailFields {
  fromName?: string
  replyTo?: string
  cc?: string
  bcc?: string
}

/** What was saved before and is opened again: a message that waits for its time, or a campaign that has not started. */
export interface Edited {
  kind: 'message' | 'campaign'
  /** Of a campaign. */
  name?: string
  /** What the button does, in the reader's language. */
  act: string
  /** When it is to leave; null for no time. */
  time: { iso: string; timezone: string } | null
}

/** How a message is written: as rich text, as blocks, or as its source. */
export type Mode = 'text' | 'design' | 'html'

/** What is being written (spec §3). `from` is a configuration's secret key. */
export interface Draft {
  from: string
  subject: string
  /** Text behind the subject in the inbox. The design's own is empty here: the calls bring this one. */
  preheader: string
  mode: Mode
  /** The source in HTML mode, byte for byte; otherwise the HTML that the design gives. */
  messageBody: string
  /** What is edited in Text and Design mode; null in HTML mode, and where nothing is written. A `ref`, replaced as a whole. */
  design: Design | null
  /** A design of a newer edition, which is kept as it is while `design` is null in Design mode; a `ref`. */
  newer?: object | null
  /** Text that was typed in Text mode before its editor came. */
  text: string
  /** Replaced as a whole, never changed in place: thousands of them are not to be watched one by one. */
  recipients: readonly Recipient[]
  /** Replaced as a whole as well; a `ref`. */
  sources: readonly Source[]
  /** Lists and segments; absent where the page offers none. */
  audience?: readonly AudienceRef[]
  /** Uploaded files; absent where there were none. */
  attachments?: readonly AttachedFile[]
  /** Absent where there is none of them. */
  fields?: MailFields
  /** Recipients that a saved campaign has beside those that are listed here. */
  keptCount?: number
  /** Values of the merge variables, the same for every recipient that has none of its own. */
  context: Record<string, string>
  /** Absent: bulk from two recipients on. */
  kind?: 'personal' | 'bulk' | 'transactional' | ''
  /** Values of merge variables for the preview without a recipient; they are not sent. */
  samples: Record<string, string>
}

/** `asking`, `later` and `campaign` while a dialog is open before the launch. */
export type ComposeStatus = 'editing' | 'asking' | 'later' | 'campaign' | 'sending' | 'sent' | 'failed'

/** What was launched last, to be followed. */
export interface Launched {
  kind: 'message' | 'campaign'
  id: string
  /** It has ended well: a reload does not show it again. */
  isOver?: boolean
}

/** A message as it was when it was launched, to be put back into the form. */
export interface Sent {
  draft: Draft
  senderId: string
}

/** A launch that can be undone until a time (ms since 1970), of so many seconds. */
export interface Held {
  launched: Launched
  sent: Sent
  untilMs: number
  seconds: number
}

/** What the view reads. `problem` is the banner's text while `failed`; `sent` the last message that was accepted. */
export interface ComposeState {
  status: ComposeStatus
  draft: Draft
  /** Id of the configuration that `draft.from` is the key of. */
  senderId: string
  /** Text of the recipients box that is not a recipient yet. */
  entry: string
  problem: { title: string; text: string | null } | null
  sent: (Message & Pick<Accepted, 'suppressed' | 'scheduled_at'>) | null
  launched: Launched | null
  /** What was launched last, while it can be undone. */
  held: Held | null
  /** What the last sweeping change put aside, and what to call that change. */
  undo: (Message & { draft: Partial<Draft> }) | null
  /** Whether the launch that goes on is for a later time. */
  isLater?: boolean
  /** What is opened again; null for a new message. */
  edited?: Edited | null
  /** What the server adds to a mail to many, and fills in every mail; a `ref`. */
  footer?: { html: string; values: Readonly<Record<string, string>> }
  /** Of the lists and segments of the draft, once they are loaded. */
  audience?: AudienceState
  /** The last paste or file, until it is dismissed. */
  report: SourceReport | null
  /** Id of the source whose columns are shown; '' for none. */
  mapped: string
  /** Files that are being uploaded, and those that were refused. */
  attaching?: readonly AttachingFile[]
  /** Names of merge variables that are offered beside those in use: a template's tags. */
  tags: readonly string[]
  picker: 'closed' | 'pick' | 'create'
  /** Where the draft is kept, as a sentence; null before. */
  keptNote: string | null
  /** Another version of the draft, written elsewhere; null without one. */
  other: { at: string; take: () => void; dismiss: () => void } | null
  configs: MailboxRows
  /** Parts that are not shown. */
  hide: readonly HideablePart[]
  /** Fields that can be read and not changed. */
  readonly: readonly (FixableField | 'preheader')[]
}

/** `templates` hides 'Create Template', `choose-template` the way to the picker. */
export type HideablePart =
  | 'preview'
  | 'templates'
  | 'choose-template'
  | 'test-send'
  | 'snippets'
  | 'from'
  | 'recipients'
  | 'subject'

export type FixableField = 'from' | 'recipients' | 'subject' | 'body'

/** What a draft still needs before it can be launched: the sender last, which may be chosen before anybody writes. */
export function missingParts({
  from,
  subject,
  messageBody,
  recipients,
  audience,
  keptCount,
}: Snapshot<Draft>): (keyof Draft & keyof typeof checklist)[] {
  const has = {
    subject: subject.trim(),
    messageBody: messageBody.trim(),
    recipients: recipients[0] ?? audience?.[0] ?? keptCount,
    from,
  }
  return (Object.keys(has) as (keyof typeof has)[]).filter((part) => !has[part])
}

/** The mailbox to write from where there is one alone, and it can send. */
export function onlySender({ configs }: Snapshot<Pick<ComposeState, 'configs'>>): { id: string } | undefined {
  return configs.items.length === 1 ? configs.items.find(({ status }) => status !== 'paused') : undefined
}

/** An empty draft. */
export function emptyDraft(mode: Mode): Draft {
  const body = { preheader: '', mode, messageBody: '', design: null, text: '' }
  return { from: '', subject: '', ...body, recipients: [], sources: [], context: {}, samples: {} }
}
