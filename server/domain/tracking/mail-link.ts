/** What the token of a mail's links names. */
export interface MailToken {
  /** `workspace_directory.no`. */
  workspaceNo: number
  /** First day of the delivery's month, `YYYY-MM-DD`. */
  month: string
  messageId: string
  /** 0: the message without the recipient (tracking mode `counts`). */
  deliveryId: number
}

/** Paths of a mail's links, below their base. */
export const pixelPath = '/o/'
export const clickPath = '/c/'
export const preferencesPath = '/preferences/'

/** Characters of a version 2 token. */
export const mailTokenChars = 60

/** Query parameter of a click link that holds the destination. */
export const destinationParameter = 'u'

/** Longest destination that is tracked, in characters. */
export const trackedUrlMaxChars = 2048
/** Links of one mail that are tracked; the others stay as written. */
export const trackedLinksMaxCount = 500

/** A link of a message; `no` is its position among the tracked links, from 1. */
export interface TrackedLink {
  no: number
  /** As written, with merge variables; UTM parameters included. */
  url: string
  /** Its visible text; empty for an image. */
  label: string
}
