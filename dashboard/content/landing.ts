import { claims } from './claims.ts'

/** Texts of the first screen of the landing page, and of the composer below it. */

export const hero = {
  badge: { text: '{uptime} uptime', values: { uptime: claims.uptime } },
  headline: { plain: 'Send from the mailbox', marked: 'you already own.' },
  description:
    'Connect the mailbox your readers know, write one message, and send it to each of them separately. From this dashboard or from one line of code, with a delivery state for every recipient.',
  offer: { text: '{days}-day free trial · up to {emails} emails · no credit card', values: claims.trial },
} as const

/** The tiles below the hero. */
export const stats: readonly { figure: string; label: string }[] = [
  { figure: claims.uptime, label: 'uptime' },
  { figure: claims.emailsDelivered, label: 'emails delivered' },
  { figure: claims.customers, label: 'customers' },
]

export const tryIt = {
  title: 'Try the composer',
  text: 'This is the real composer. Change the text, add a recipient and launch.',
  note: 'No mail is sent: on this page the API is simulated.',
} as const
