import type { SuppressionReason } from '../../../contract/audience/suppression.ts'

/** Each reason's word, tone, and how an address comes there by it. */
export const reasonLabels: Readonly<
  Record<SuppressionReason, { word: string; tone: 'open' | 'warn' | 'bad'; about: string }>
> = {
  unsubscribed: {
    word: 'Unsubscribed',
    tone: 'open',
    about: 'Followed the link in a campaign. At once, and until they ask you for mail again.',
  },
  bounced: {
    word: 'Bounced',
    tone: 'bad',
    about: 'Their mail server said for good that there is no such address. Each further mail would harm your name.',
  },
  complained: {
    word: 'Complained',
    tone: 'warn',
    about: 'Reported a mail of yours as spam: put here by you, a CSV or your own program.',
  },
  manual: { word: 'Added manually', tone: 'open', about: 'Put here by you, a CSV or your own program.' },
}
