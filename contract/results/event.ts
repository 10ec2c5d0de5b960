/** What an event is. */
export const eventKinds = {
  /** In the inbox only: a batch of mails got their outcomes. */
  settled: 0,
  opened: 1,
  clicked: 2,
  replied: 3,
  auto_replied: 4,
  bounced: 5,
  delayed: 6,
  complained: 7,
  unsubscribed: 8,
  resubscribed: 9,
  preferences_changed: 10,
  list_joined: 11,
  list_left: 12,
  segment_joined: 13,
  segment_left: 14,
  /** The mail server refuses the mailbox, not the address. */
  sender_refused: 15,
  // 16 and 17 are free. 18 is counted for every mail; 18 to 29 and 31 to 35 are events only for webhooks.
  sent: 18,
  failed: 19,
  deferred: 20,
  contact_created: 21,
  contact_updated: 22,
  contact_deleted: 23,
  campaign_started: 24,
  campaign_finished: 25,
  campaign_paused: 26,
  mailbox_paused: 27,
  mailbox_resumed: 28,
  import_finished: 29,
  form_confirmed: 30,
  sequence_entered: 31,
  sequence_step_sent: 32,
  sequence_held: 33,
  sequence_stopped: 34,
  sequence_finished: 35,
  custom: 36,
} as const
export type EventName = keyof typeof eventKinds
export type EventKind = (typeof eventKinds)[EventName]

/** Who caused an open or click. Figures, segments and triggers use `human` only; the others are shown beside them. */
export const verdicts = { human: 1, probable: 2, machine: 3 } as const
export type Verdict = (typeof verdicts)[keyof typeof verdicts]

/** Bits of `event_inbox.flags`. */
export const eventFlags = {
  /** A HEAD request, or one that announces a prefetch. */
  prefetch: 1,
  /** The mail server has not taken its mail yet; it was put behind later events once. */
  waited: 2,
  /** unsubscribed: its writer has not suppressed the address; the digest does. */
  suppresses: 8,
} as const

/** Further facts of an event, by kind. Contains no address. */
export interface EventDetail {
  /** bounced, delayed, sender_refused: one of 34 reasons, or `undefined`. */
  reason?: string
  /** bounced, delayed, sender_refused: what follows, `dead`, `waiting`, `mail` or `sender`. */
  action?: string
  /** bounced, delayed, sender_refused: the mail server's words, its status such as `5.1.1` and its name. */
  words?: string
  status?: string
  server?: string
  /** auto_replied: `YYYY-MM-DD` */
  returns_on?: string
  /** list_joined, list_left */
  list_id?: string
  /** segment_joined, segment_left */
  segment_id?: string
  /** replied, auto_replied, bounced, complained: its row of `inbox_mails` */
  inbox_mail_id?: string
  [name: string]: unknown
}
