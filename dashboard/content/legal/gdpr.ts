import { legalEmail, privacyEmail } from '../contacts.ts'
import { productName } from '../product.ts'
import type { LegalDocument } from './legal-document.ts'

/** GDPR: roles, legal bases, rights, and the terms under which recipients' data is processed (Article 28). */
export const gdpr: LegalDocument = {
  title: 'GDPR',
  lastUpdated: 'August 14, 2025',
  date: '2025-08-14',
  summary: `How ${productName} meets the General Data Protection Regulation, for account holders, their recipients and data protection officers.`,
  sections: [
    {
      id: 'roles',
      title: 'Roles',
      body: [
        [
          'For the data of account holders and visitors, the operator of this service is the controller.',
          'For recipients, contacts and the content of mails, the account holder is the controller, and the operator is the processor.',
        ],
      ],
    },
    {
      id: 'bases',
      title: 'Legal bases',
      body: [
        [
          'Article 6(1)(b), contract: the account, sending, reports.',
          'Article 6(1)(c), legal obligation: accounting, lawful requests.',
          'Article 6(1)(f), legitimate interest: safety of the service, limits, protection against abuse.',
          'Article 6(1)(a), consent: news about the product.',
        ],
        'Which basis allows you to write to your own recipients is for you to know: usually their consent, or a contract with them.',
      ],
    },
    {
      id: 'rights',
      title: 'Rights of every person',
      body: [
        [
          'Access (Article 15) and a copy in a common format (Article 20).',
          'Correction (Article 16) and deletion (Article 17).',
          'Restriction (Article 18) and objection (Article 21).',
          'Withdrawal of a consent, at any time, for the future (Article 7).',
          'A complaint to a supervisory authority (Article 77).',
        ],
        `Write to ${privacyEmail}. We answer within one month, free of charge. Requests of recipients that reach us go to the account holder concerned without delay.`,
      ],
    },
    {
      id: 'processing',
      title: 'Terms of processing',
      body: [
        'With an account you and we agree on these terms under Article 28(3). Subject: sending mail and reporting on it. Duration: for as long as the account exists, and 30 days after. Data: addresses, the values you merge into mails, the content of mails, and delivery results. Data subjects: your recipients.',
        [
          'We process the data only as you instruct through the product, and tell you if we think that an instruction breaks the law.',
          'Everybody with access is bound to confidentiality.',
          'We keep the measures listed below.',
          'Further processors are named on request, bound by the same duties, and announced 30 days before they begin; you may object.',
          'We help you with requests of recipients, with notices of breaches and with impact assessments.',
          'After closure the data is kept for 30 days for recovery and then permanently deleted; until then you may have a copy.',
          'We give you what you need to show that these duties are kept, and allow an audit once a year.',
        ],
      ],
    },
    {
      id: 'measures',
      title: 'Technical and organisational measures',
      body: [
        [
          'Encryption in transit, and of app passwords and keys at rest, row by row, with keys kept apart from backups.',
          'Passwords hashed with Argon2id; tokens kept as hashes only; sessions end after 7 days without use.',
          'Each row belongs to one workspace and is looked up by it; another’s data reads as missing.',
          'Records of requests without addresses, keys or content.',
          'Suppression lists that no import can override, and one-click unsubscribing.',
          'Tests of hostile input with every change.',
        ],
      ],
    },
    {
      id: 'breaches',
      title: 'Breaches',
      body: [
        'We tell the supervisory authority within 72 hours of learning of a breach that puts people at risk, and account holders without undue delay, with what we know: what happened, whose data, what follows, and what is being done.',
      ],
    },
    {
      id: 'transfers',
      title: 'Transfers',
      body: [
        'Transfers to countries without an adequacy decision rest on the standard contractual clauses of the European Commission, with additional measures where they are needed.',
      ],
    },
    {
      id: 'contact',
      title: 'Contact',
      body: [
        `Data protection: ${privacyEmail}. Signed copies of the terms of processing and legal notices: ${legalEmail}.`,
      ],
    },
  ],
}
