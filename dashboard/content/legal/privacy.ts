import { documentDates } from '../../../contract/account/account.limits.ts'
import { legalEmail, privacyEmail } from '../contacts.ts'
import { productName, supportEmail } from '../product.ts'
import type { LegalDocument } from './legal-document.ts'

/** Privacy Policy: stored data, purposes and retention. */
export const privacy: LegalDocument = {
  title: 'Privacy Policy',
  lastUpdated: 'August 14, 2025',
  date: documentDates.privacy,
  summary: `This policy describes which personal data ${productName} stores, for which purpose, and how you can have it changed or deleted. In short: what we need to send your mail and to report on it. We sell nothing to others.`,
  sections: [
    {
      id: 'who',
      title: 'Who is responsible',
      body: [
        `The operator of this ${productName} service is the controller for the data of its account holders and visitors. Write to ${privacyEmail} about anything in this policy.`,
        'For the recipients’ data that account holders bring, the account holder is the controller and we process it on their behalf. If you received a mail that was sent with the service, contact the sender named in it; we forward requests that reach us.',
      ],
    },
    {
      id: 'data',
      title: 'Data we store',
      body: [
        [
          'Account: your names, email address, a hash of your password (never the password itself), how you heard of us if you entered it, and which version of these documents you accepted, and when.',
          'Sessions: when you signed in and last used the service, and your browser’s user agent. Tokens are kept as hashes only.',
          'Mailboxes you connect: address, provider and app password. The app password is encrypted with a separate key and decrypted only to connect to your mail server.',
          'Messages: content, recipients, and the reply of each recipient’s mail server.',
          'Templates, contacts and lists that you store. Of a person whom you erase, a salted hash of the address stays, so that nothing is sent to the person again. The salt is kept in the same database: the hash protects from casual reading, not from a guess by someone who holds the database.',
          'Technical records of requests: time, kind of request, duration and outcome, without addresses, keys or the content of mails.',
        ],
        'We do not buy data about you, and we build no profile of you.',
      ],
    },
    {
      id: 'why',
      title: 'Purposes',
      body: [
        [
          'To provide the service you asked for: accounts, sending, and reports on what was sent (performance of a contract).',
          'To keep the service safe: limits, protection of sign-in, recognition of abuse (legitimate interest).',
          'To meet duties such as accounting, and to answer lawful requests (legal obligation).',
          'To send you news about the product, only if you asked for them (consent, which you can withdraw at any time).',
        ],
      ],
    },
    {
      id: 'tracking',
      title: 'Opens and clicks',
      body: [
        'Measuring opens and clicks of mails is off until an account holder switches it on, as totals or by person. Where it is on, we keep the time of an open or a click, the link, and the name of the mail program. No IP address is stored and no cookie is set: the network is hashed with a key of the day and kept for 60 seconds, to tell people from machines. Account holders tell their recipients about it where the law asks for that.',
      ],
    },
    {
      id: 'sharing',
      title: 'Recipients of data',
      body: [
        [
          'The mail servers of your provider and of your recipients, to deliver your mail.',
          'Companies that host our servers and process payments for us, under contract and on our instructions.',
          'Authorities, where the law obliges us, and no further than it does.',
        ],
        'We do not sell personal data, and no third-party script runs on our pages.',
      ],
    },
    {
      id: 'transfer',
      title: 'Location',
      body: [
        'Data is kept in the region where the service is hosted. If it is processed in a country without an adequate level of protection, this happens under the standard contractual clauses of the European Commission. Mail itself travels to wherever its recipients’ servers are.',
      ],
    },
    {
      id: 'retention',
      title: 'Retention',
      body: [
        [
          'Account, mailboxes, templates, contacts and messages: for as long as the account exists.',
          'After closure: access ends immediately, the data is kept for 30 days for recovery, and is then permanently deleted.',
          'Sessions: 7 days without use, 30 days at the most.',
          'Invoices: as long as tax law requires.',
        ],
      ],
    },
    {
      id: 'security',
      title: 'Security',
      body: [
        'Connections are encrypted. App passwords and secret keys are encrypted row by row; passwords are hashed with Argon2id. Access is limited to the people who need it, and what they do is recorded. If a breach should put you at risk, we tell you and the supervisory authority within 72 hours of learning of it.',
      ],
    },
    {
      id: 'rights',
      title: 'Your rights',
      body: [
        `You may ask for a copy of your data, have it corrected or deleted, take it with you in a common format, restrict or object to its processing, and withdraw a consent. Write to ${privacyEmail}; we answer within a month. You may also complain to the data protection authority where you live.`,
        'An unsubscribe link in a mail works without an account and without a reason. Requests are free of charge.',
      ],
    },
    {
      id: 'children',
      title: 'Children',
      body: ['The service is for people of 18 years or more. We delete accounts of which we learn that they are not.'],
    },
    {
      id: 'changes',
      title: 'Changes to this policy',
      body: [
        'When we change this policy we change the date above, and announce what matters by mail before it takes effect.',
      ],
    },
    {
      id: 'contact',
      title: 'Contact',
      body: [
        `Privacy and personal data: ${privacyEmail}. Legal notices: ${legalEmail}. Everything else: ${supportEmail}.`,
      ],
    },
  ],
}
