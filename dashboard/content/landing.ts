import { claims } from './claims.ts'

/** The words of the landing page's first screen, and of the composer below it. */

export const hero = {
  badge: `${claims.uptime} uptime`,
  headline: { plain: 'Send from the mailbox', marked: 'you already own.' },
  description:
    'Connect the mailbox your readers know, write one message, and send it to each of them alone. From this dashboard or from one line of code, with every recipient accounted for.',
  offer: `${claims.trial.days}-day free trial · up to ${claims.trial.emails} emails · no credit card`,
} as const

/** The tiles under the hero: figure, and what it counts. */
export const stats: readonly { figure: string; label: string }[] = [
  { figure: claims.uptime, label: 'uptime' },
  { figure: claims.emailsDelivered, label: 'emails delivered' },
  { figure: claims.customers, label: 'customers' },
]

export const tryIt = {
  title: 'Write one now.',
  text: 'This is the composer itself, not a film of it. Change the words, add a recipient, launch.',
  note: 'No mail leaves: on this page, the answers come from the page.',
} as const
