import { claims } from './claims.ts'

export interface Question {
  question: string
  answer: string
  /** Of the placeholders of the answer. */
  values?: Readonly<Record<string, string>>
}

/** The six questions (spec §1). The answers are claims that the operator can change. */
export const faq: readonly Question[] = [
  {
    question: 'Which mailboxes can I connect?',
    answer:
      'Gmail, Outlook, Yahoo and any other mailbox whose server accepts mail over an encrypted connection. You create an app password at your provider and paste it once. We test it before we store it, so a typo shows at once.',
  },
  {
    question: 'Is there a free trial?',
    answer:
      'Yes: {days} days with up to {emails} emails, with every feature, and no credit card. Your templates and mailboxes stay when it ends.',
    values: claims.trial,
  },
  {
    question: 'How many emails can I send in a day?',
    answer:
      'As many as your provider lets your mailbox send. Gmail, for instance, allows a personal mailbox about five hundred recipients a day. We respect the provider’s limits, spread a large list over the time it needs, and estimate when the last mail is sent.',
  },
  {
    question: 'What happens if something breaks in the middle of a send?',
    answer:
      'No mail is lost or sent twice. Each recipient is stored before the API answers, each attempt is recorded before it is made, and after a crash or a restart sending continues with the first unsent recipient.',
  },
  {
    question: 'What can I see after I have sent?',
    answer:
      'Analytics on opens, clicks, bounces, unsubscribes and delivery status: as totals for the whole message, and for each recipient with the reply of their mail server.',
  },
  {
    question: 'What support do I get?',
    answer:
      'Email support on all plans. Enterprise customers get dedicated account management with 24/7 phone support and SLA guarantees.',
  },
]
