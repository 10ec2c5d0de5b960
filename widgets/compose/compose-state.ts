import type { Snapshot } from 'valtio/vanilla'
import type { ConfigList } from '../../client/config-list.ts'
import type { Accepted } from '../../contract/message.ts'
import type { checklist } from '../lib/compose-messages.ts'
import type { Recipient } from '../lib/recipients.ts'

/** What is being written (spec §3). `from` is a configuration's secret key. */
export interface Draft {
  from: string
  subject: string
  messageBody: string
  recipients: Recipient[]
  /** Values of the merge variables, the same for every recipient. */
  context: Record<string, string>
}

export type ComposeStatus = 'editing' | 'asking' | 'sending' | 'sent' | 'failed'

/** What the view reads. `problem` is the banner's text while `failed`; `sent` the last message that was accepted. */
export interface ComposeState {
  status: ComposeStatus
  draft: Draft
  /** Id of the configuration that `draft.from` is the key of. */
  senderId: string
  /** What stands in the recipients box and is no recipient yet. */
  entry: string
  problem: { title: string; text: string | null } | null
  sent: Accepted | null
  /** When the draft was last kept, as a sentence; null before. */
  keptNote: string | null
  configs: ConfigList['state']
}

/** What a draft still needs before it can be launched, in the order of the form. */
export function missingParts({
  from,
  subject,
  messageBody,
  recipients,
}: Snapshot<Draft>): (keyof Draft & keyof typeof checklist)[] {
  const has = {
    from: from !== '',
    subject: subject.trim() !== '',
    messageBody: messageBody.trim() !== '',
    recipients: recipients.length > 0,
  }
  return (Object.keys(has) as (keyof typeof has)[]).filter((part) => !has[part])
}

/** A draft in which nothing stands yet. */
export function emptyDraft(): Draft {
  return { from: '', subject: '', messageBody: '', recipients: [], context: {} }
}
