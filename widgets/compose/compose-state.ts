import type { Snapshot } from 'valtio/vanilla'
import type { MailboxList } from '../../client/mail/mailbox-list.ts'
import type { Accepted } from '../../contract/mail/message.ts'
import type { checklist } from '../lib/compose-messages.ts'
import type { Message } from '../lib/messages/message.ts'
import type { Recipient } from '../lib/recipients.ts'

/** What is being written (spec §3). `from` is a configuration's secret key. */
export interface Draft {
  from: string
  subject: string
  messageBody: string
  /** Replaced as a whole, never changed in place: thousands of them are not to be watched one by one. */
  recipients: readonly Recipient[]
  /** Values of the merge variables, the same for every recipient that has none of its own. */
  context: Record<string, string>
}

/** `asking` and `campaign` while a dialog is open before the launch. */
export type ComposeStatus = 'editing' | 'asking' | 'campaign' | 'sending' | 'sent' | 'failed'

/** What was launched last, to be followed. */
export interface Launched {
  kind: 'message' | 'campaign'
  id: string
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
  sent: (Message & Pick<Accepted, 'suppressed'>) | null
  launched: Launched | null
  /** What the last sweeping change put aside, and what to call that change. */
  undo: (Message & { draft: Partial<Draft> }) | null
  /** Names of merge variables that are offered beside those in use: a template's tags. */
  tags: readonly string[]
  picker: 'closed' | 'pick' | 'create'
  /** Where the draft is kept, as a sentence; null before. */
  keptNote: string | null
  /** Another version of the draft, written elsewhere; null without one. */
  other: { at: string; take: () => void; dismiss: () => void } | null
  configs: MailboxList['state']
  /** Parts that are not shown. */
  hide: readonly HideablePart[]
  /** Fields that can be read and not changed. */
  readonly: readonly FixableField[]
}

/** `templates` hides 'Create Template', `choose-template` the way to the picker. */
export type HideablePart =
  'preview' | 'templates' | 'choose-template' | 'test-send' | 'snippets' | 'from' | 'recipients' | 'subject'

export type FixableField = 'from' | 'recipients' | 'subject' | 'body'

/** What a draft still needs before it can be launched: the sender last, which may be chosen before anybody writes. */
export function missingParts({
  from,
  subject,
  messageBody,
  recipients,
}: Snapshot<Draft>): (keyof Draft & keyof typeof checklist)[] {
  const has = {
    subject: subject.trim(),
    messageBody: messageBody.trim(),
    recipients: recipients.length,
    from,
  }
  return (Object.keys(has) as (keyof typeof has)[]).filter((part) => !has[part])
}

/** The mailbox to write from where there is one alone, and it can send. */
export function onlySender({ configs }: Snapshot<Pick<ComposeState, 'configs'>>): { id: string } | undefined {
  return configs.items.length === 1 ? configs.items.find(({ status }) => status !== 'paused') : undefined
}

/** An empty draft. */
export function emptyDraft(): Draft {
  return { from: '', subject: '', messageBody: '', recipients: [], context: {} }
}
