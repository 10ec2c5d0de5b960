import { documentDates } from '../../../contract/account/account.limits.ts'
import { claims } from '../claims.ts'
import { legalEmail } from '../contacts.ts'
import { productName, supportEmail } from '../product.ts'
import type { LegalDocument } from './legal-document.ts'

/** Terms and Conditions. They contain the statements of the specification (§4, §5, §9), for review by the operator's lawyer. */
export const terms: LegalDocument = {
  title: 'Terms and Conditions',
  lastUpdated: 'August 14, 2025',
  date: documentDates.terms,
  summary: `These terms are the agreement between you and the operator of ${productName} (“we”). They say what you may expect of us, what we ask of you, and what happens when either side wants to end it.`,
  sections: [
    {
      id: 'agreement',
      title: 'The agreement',
      body: [
        `By creating an account, or by using ${productName} in any other way, you accept these terms and our Privacy Policy. If you act for a company or another organisation, you confirm that you may bind it, and “you” means that organisation.`,
        'If you do not accept the terms, please do not use the service.',
      ],
    },
    {
      id: 'who',
      title: 'Who may use the service',
      body: [
        'You must be at least 18 years old, or have reached the age of majority where you live if that is higher.',
        'One account per person or organisation: people who work together join one workspace instead of opening further accounts. We may close accounts that are opened to get around a limit or an earlier closure.',
        'You give us true details, keep them current, and confirm the email address of your account.',
      ],
    },
    {
      id: 'service',
      title: 'What the service is',
      body: [
        `${productName} sends email from mailboxes that you connect to it. Its services are:`,
        [
          'sending campaigns and single messages, from the dashboard and through the API;',
          'campaign scheduling;',
          'contact list management and segmentation;',
          'email templates of your own, and a library of templates to copy from;',
          'performance dashboards, with figures on opens, clicks, bounces, unsubscribes and delivery;',
          'A/B testing;',
          'third-party integrations.',
        ],
        'Which of them an account has depends on its plan. We develop the service further, and may change or replace parts of it; where a change takes away something you pay for, we tell you at least 30 days before.',
      ],
    },
    {
      id: 'account',
      title: 'Your account and your keys',
      body: [
        'You keep your password, your access tokens and the secret keys of your mailboxes to yourself. Whatever is sent with them counts as sent by you.',
        `If you believe that somebody else has one of them, replace it at once and write to ${supportEmail}.`,
      ],
    },
    {
      id: 'mailboxes',
      title: 'Mailboxes you connect',
      body: [
        'You connect only mailboxes that are yours or that you are allowed to send from. You give us an app password for that one purpose: to sign in to the mailbox’s server and send what you asked us to send.',
        'Your provider’s rules and limits apply to your mailbox as they did before. We keep to the limits we know; we cannot lift them, and we are not responsible for a provider that blocks or closes a mailbox because of what was sent from it.',
      ],
    },
    {
      id: 'sending',
      title: 'What may be sent',
      body: [
        'You write to people who agreed to hear from you or whom the law lets you write to, and you can show it when asked. In particular you do not send:',
        [
          'to lists that were bought, rented, scraped or guessed;',
          'anything unlawful, fraudulent, threatening or hateful, or that infringes the rights of others;',
          'malware, or links to it;',
          'mail that hides who sends it, or that pretends to come from somebody else.',
        ],
        'Marketing mail names its sender with a postal address and offers a way to unsubscribe that works. Unsubscribe requests are honoured within 10 business days at the latest; requests that reach us through a link in a mail take effect at once, and an address on your suppression list receives no mail, even if a later list contains it.',
        'We may pause sending, for one mailbox or a whole account, while we look into complaints, bounces or signs of abuse. We tell you why.',
      ],
    },
    {
      id: 'content',
      title: 'Your content',
      body: [
        'What you write, upload and send stays yours. You allow us to store, process and transmit it as far as the service needs that, and no further.',
        'You answer for your content and for the recipients’ data you bring. For that data we act as your processor; the terms of processing are on the GDPR page.',
      ],
    },
    {
      id: 'billing',
      title: 'Trial, plans and billing',
      body: [
        `A new account begins with a free trial of ${claims.trial.days} days and up to ${claims.trial.emails} emails, without a credit card.`,
        'Paid plans are billed monthly or annually in advance. A plan renews for the same period until you end it; you can end it at any time with effect from the end of the period that is paid.',
        'Price changes take effect at the next renewal after 30 days’ notice. If you do not agree with a new price, end the plan before that renewal.',
        'Prices do not include taxes unless they say so.',
      ],
    },
    {
      id: 'refunds',
      title: 'Refunds',
      body: [
        `New subscribers have a ${claims.refundDays}-day money-back guarantee: ask within ${claims.refundDays} days of your first payment, and we return it in full.`,
        'Otherwise, fees are non-refundable except as stated in these terms or where the law says differently.',
      ],
    },
    {
      id: 'availability',
      title: 'Availability and support',
      body: [
        `We aim at an uptime of ${claims.uptime} in each calendar month, announced maintenance aside. This is a target; a plan with a service level agreement says what follows when it is missed.`,
        `Email support comes with all plans: ${supportEmail}.`,
      ],
    },
    {
      id: 'closure',
      title: 'Closing an account',
      body: [
        'You can close your account at any time in your profile, or by writing to us. We may close an account that breaks these terms, after a warning where one is reasonable, at once where it is not.',
        'On closure, access ends immediately: sessions and keys stop working and nothing more is sent. Your data is kept for 30 days, so that a closure by mistake can be undone. After those 30 days it is permanently deleted, except what the law obliges us to keep.',
      ],
    },
    {
      id: 'liability',
      title: 'Warranty and liability',
      body: [
        'We run the service with care. Beyond what these terms promise, it is provided as it is; we do not promise that every mail reaches an inbox, because the receiving servers decide that.',
        'Neither side is liable for indirect or consequential damage such as lost profit. Our total liability in any 12 months is capped at the amount you paid us in the preceding 12 months.',
        'Nothing in these terms limits a liability that cannot be limited by law, such as for intent, gross negligence or injury.',
      ],
    },
    {
      id: 'indemnity',
      title: 'Claims by others',
      body: [
        'If somebody makes a claim against us because of what you sent or because you broke these terms, you bear the reasonable cost of it. We tell you of such a claim without delay and let you take part in the defence.',
      ],
    },
    {
      id: 'disputes',
      title: 'Law and disputes',
      body: [
        `Before anything else, write to ${legalEmail}; most things are settled within days.`,
        'A dispute that is not settled within 60 days is decided by binding arbitration, by one arbitrator, in writing where both sides agree. Either side may still turn to a small claims court, or to a court for an urgent order. Consumers keep the rights and the courts that the law of their country gives them.',
      ],
    },
    {
      id: 'changes',
      title: 'Changes to these terms',
      body: [
        'When we change these terms we change the date above. We announce what matters by mail at least 30 days before it takes effect. If you go on using the service after that day, the new terms apply; if you do not agree, close your account before it.',
      ],
    },
    {
      id: 'contact',
      title: 'Contact',
      body: [
        `Questions about using the product: ${supportEmail}. Notices and questions about these terms: ${legalEmail}.`,
      ],
    },
  ],
}
