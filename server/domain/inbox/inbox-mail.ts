import type { BounceAction, BounceReason } from '../../../contract/inbox/bounce-reason.ts'

/** What is kept of a mail beside its text. The digest reads `reason`, `action`, `words`, `status` and `server`. */
export interface InboxDetail {
  /** The display name of From. */
  from_name?: string
  /** Why it bounced. */
  reason?: BounceReason
  action?: BounceAction
  /** Enhanced status code (RFC 3463), as 5.1.1. */
  status?: string
  /** The mail server's words, one line. */
  words?: string
  /** The reporting server's name. */
  server?: string
  /** An auto-reply names this day of return; YYYY-MM-DD. */
  returns_on?: string
  /** Whether an address match was confirmed by SPF, DKIM or the null return path. */
  is_verified?: boolean
  /** For the headers of an answer. */
  message_id?: string
  references?: string
  /** Where the answer goes; absent: to From. */
  reply_to?: string
  /** What a person decided on a probable reply. */
  settled?: 'confirmed' | 'refused'
  /** Parts beyond the limits of the reader were ignored. */
  is_cut?: boolean
}
