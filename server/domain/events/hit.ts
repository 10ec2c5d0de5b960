import type { Verdict } from '../../../contract/results/event.ts'

/** What is known of an open or click when it is judged. */
export interface HitFacts {
  /** Milliseconds since 1970. */
  at: number
  /** Null for an open. */
  linkNo: number | null
  agent: AgentFacts | null
  /** Hash of the network; null once it is deleted. */
  net: string | null
  /** In the form of `networkLabelOf`; null for a network that is not listed. */
  netLabel: number | null
  /** A HEAD request, or one that announces a prefetch. */
  isPrefetch: boolean
}

export interface AgentFacts {
  text: string
  os: string | null
  verdict: Verdict | null
}

/** What is known of the mail of a hit. */
export interface MailFacts {
  /** When the mail server took it, milliseconds since 1970; null: unknown. */
  acceptedAt: number | null
}

/** A hit that was judged before. */
export interface JudgedHit extends HitFacts {
  verdict: Verdict
}

/** Separates opens and clicks by people from those by programs. */
export interface Classifier {
  /** Verdicts on the hits of one mail within a minute, in their order. */
  judge: (hits: readonly HitFacts[], mail: MailFacts) => Verdict[]
  /** Verdicts on all hits of a mail, in their order; clicks before `windowFrom` keep theirs. */
  review: (hits: readonly JudgedHit[], mail: MailFacts, windowFrom: number) => Verdict[]
  /** Whether later hits can change the verdict of a hit within a minute. */
  dependsOnOthers: (hit: HitFacts) => boolean
  /** The label that is kept with the event, in the form of `networkLabelOf`. */
  labelOf: (hit: HitFacts) => number | null
}
