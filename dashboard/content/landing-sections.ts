import { claims } from './claims.ts'

/** The words of the landing page below its first screen, section by section. */

export const features = {
  title: 'Everything between “write” and “arrived”',
  text: `More than ${claims.businesses.replace('+', '')} businesses (${claims.businesses}) send with it: newsletters, invoices, invitations, and the one mail that has to arrive.`,
} as const

export const tour = {
  title: 'Nothing lost, nothing sent twice.',
  text: 'Before the answer comes, every recipient stands on disk. Each gets a mail of their own, and you read what their mail server said to it.',
  points: [
    'Each recipient alone on the envelope',
    'Merge variables, with a live preview',
    'Pauses, retries and limits that suit your provider',
    'A crash in the middle continues where it was',
  ],
} as const

export const testimonialsSection = {
  title: 'In good hands',
  text: 'People who send for a living, on what they send with.',
} as const

export const faqSection = { title: 'Questions, answered' } as const

export const callToAction = {
  title: 'Your next message, from your own address.',
  text: `Free for ${claims.trial.days} days, up to ${claims.trial.emails} emails, no credit card. Email support on all plans.`,
} as const
