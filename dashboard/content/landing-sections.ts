import { claims } from './claims.ts'

/** Texts of the landing page below its first screen, by section. */

export const features = {
  title: 'Everything from writing to delivery',
  text: {
    text: 'More than {number} businesses ({claim}) send with it: newsletters, invoices, invitations and transactional mail.',
    values: { number: claims.businesses.replace('+', ''), claim: claims.businesses },
  },
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
  text: {
    text: 'Free for {days} days, up to {emails} emails, no credit card. Email support on all plans.',
    values: claims.trial,
  },
} as const
