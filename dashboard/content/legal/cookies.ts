import { privacyEmail } from '../contacts.ts'
import { productName } from '../product.ts'
import type { LegalDocument } from './legal-document.ts'

/** Cookie Policy: everything stored in a browser, by name, as in docs/decisions/0010. */
export const cookies: LegalDocument = {
  title: 'Cookie Policy',
  lastUpdated: 'August 14, 2025',
  date: '2025-08-14',
  summary: `${productName} stores in your browser only what it needs to work. There are no advertising cookies, no analytics cookies and no third-party cookies, so there is no cookie banner.`,
  sections: [
    {
      id: 'what',
      title: 'Overview',
      body: [
        'A cookie is a short text that a site asks your browser to keep and to send back. Browsers have a second place, called local storage, that a page can read but that is not sent with requests. We use both, sparingly, and list all of it here.',
      ],
    },
    {
      id: 'cookies',
      title: 'Cookies',
      body: [
        [
          'A sign-up cookie names, in signed form, the account you have just made or whose confirmation link has expired, so that “Send New Confirmation” has an address to write to. Scripts cannot read it, and it does not sign you in.',
          'Sign-in with another provider, where it is offered, uses a cookie for the minutes it takes: it holds random values that prove that the answer belongs to your question.',
        ],
        'They are strictly necessary for what you asked for, which is why the law lets us set them without asking first.',
      ],
    },
    {
      id: 'storage',
      title: 'Local and session storage',
      body: [
        [
          'access_token: keeps you signed in, until you log out or the session ends.',
          'Names that begin with sendwright-: your colour scheme, whether the sidebar is open and which of its groups are folded, the columns of your contacts, drafts you have not sent, the last message you sent, and which of these documents you accepted without being signed in.',
          'templates-mine: templates you are working on.',
          'cocobase-token and cocobase-user: the sign-in of the library of shared templates, where it is used.',
          'sendwright-wanted, for as long as the tab is open: the page to return to after sign-in.',
        ],
        'Logging out clears local storage.',
      ],
    },
    {
      id: 'others',
      title: 'Third-party cookies',
      body: [
        'There are none. Our pages load no third-party scripts, fonts or images, except the images of a message in its preview. Links to social networks and to the support chat are plain links: nothing is sent there until you follow one.',
      ],
    },
    {
      id: 'control',
      title: 'Your choices',
      body: [
        'You can delete or block all of it in your browser’s settings. Pages you read keep working; signing in needs local storage.',
      ],
    },
    {
      id: 'contact',
      title: 'Contact',
      body: [`Questions: ${privacyEmail}.`],
    },
  ],
}
