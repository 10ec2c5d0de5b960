import { claims } from './claims.ts'

/** The words of the landing page below its first screen, section by section. */

export const features = {
  title: 'Everything from writing to delivery',
  text: `More than ${claims.businesses.replace('+', '')} businesses (${claims.businesses}) send with it: newsletters, invoices, invitations and transactional mail.`,
} as const

export const tour = {
  title: 'No mail lost, no mail sent twice',
  text: 'Every recipient is stored on disk before the API answers. Each gets a separate mail, and you see the reply of their mail server.',
  points: [
    'A separate mail for each recipient',
    'Merge variables, with a live preview',
    'Pauses, retries and limits that fit your provider',
    'After a crash, sending continues where it stopped',
  ],
} as const

export const testimonialsSection = {
  title: 'What customers say',
  text: 'From teams that send every day.',
} as const

export const faqSection = { title: 'Frequently asked questions' } as const

export const callToAction = {
  title: 'Send your next message from your own address',
  text: `Free for ${claims.trial.days} days, up to ${claims.trial.emails} emails, no credit card. Email support on all plans.`,
} as const
