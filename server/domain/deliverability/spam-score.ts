/** What a spam filter says of a mail: it counts as spam from `limit` points on. */
export interface SpamScore {
  filter: 'SpamAssassin' | 'rspamd'
  score: number
  limit: number
  /** Names of the rules that matched. */
  rules: string[]
}

/** A mail with its merge variables filled. */
export interface ScoredMail {
  from: string
  subject: string
  html: string
  text: string
}

export type ScoreMail = (mail: ScoredMail) => Promise<SpamScore>
