import { claims } from './claims.ts'

export interface Question {
  question: string
  answer: string
}

/** The six questions (spec §1): what is stated in them are claims, for the operator to keep or change. */
export const faq: readonly Question[] = [
  {
    question: 'Which mailboxes can I connect?',
    answer:
      'Gmail, Outlook, Yahoo and any other mailbox whose server takes mail over an encrypted connection. You make an app password with your provider and paste it once; we sign in with it before we keep it, so a typo shows at once.',
  },
  {
    question: 'Is there a free trial?',
    answer: `Yes: ${claims.trial.days} days with up to ${claims.trial.emails} emails, with every part of the product, and no credit card. When it ends, your templates and mailboxes stay; sending waits until you choose a plan.`,
  },
  {
    question: 'How many emails can I send in a day?',
    answer:
      'As many as your provider lets your mailbox send. Gmail, for instance, allows a personal mailbox about five hundred recipients a day. We keep to the provider’s limits, spread a large list over the time it needs, and tell you when the last one leaves.',
  },
  {
    question: 'What happens if something breaks in the middle of a send?',
    answer:
      'Nothing is lost and nothing goes out twice. Each recipient is written down before we answer you, each attempt is noted before it is made, and after a crash or a restart the list goes on from the first one that was not sent.',
  },
  {
    question: 'What can I see after I have sent?',
    answer:
      'Analytics on opens, clicks, bounces, unsubscribes and delivery status: for the whole message as figures, and for each recipient with the words of their mail server.',
  },
  {
    question: 'What support do I get?',
    answer:
      'Email support on all plans. Enterprise customers get dedicated account management with 24/7 phone support and SLA guarantees.',
  },
]
