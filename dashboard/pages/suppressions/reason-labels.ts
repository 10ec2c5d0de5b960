import type { SuppressionReason } from '../../../contract/audience/suppression.ts'

/** Each reason's word, tone, and how an address comes there by it. */
export const reasonLabels: Readonly<
  Record<SuppressionReason, { word: string; tone: 'open' | 'warn' | 'bad'; about: string }>
> = {
  unsubscribed: {
    word: 'Unsubscribed',
    tone: 'open',
    about: 'The recipient used the unsubscribe link. Applies at once, until they ask for mail again.',
  },
  bounced: {
    word: 'Bounced',
    tone: 'bad',
    about:
      'The mail server permanently rejected the address as unknown. Further mail would harm your sender reputation.',
  },
  complained: {
    word: 'Complained',
    tone: 'warn',
    about: 'The recipient reported a mail as spam. Added by you, by CSV or through the API.',
  },
  manual: { word: 'Added manually', tone: 'open', about: 'Added by you, by CSV or through the API.' },
}
