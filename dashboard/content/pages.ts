import { homeTitle, productName } from './product.ts'

/** Title and description of a page, for browsers, search engines and previews of shared links. */
export interface PageAbout {
  title: string
  description: string
}

/** By path, as the route table writes it (spec §2). */
export const publicPages = {
  '/': {
    title: homeTitle,
    description:
      'Connect a mailbox, write one message, send it to each recipient separately. From a dashboard or from one line of code, with a delivery state for every recipient.',
  },
  '/docs': {
    title: `Documentation · ${productName}`,
    description: `Send email from code with ${productName}: one call, with examples in curl, JavaScript, Python, PHP and C#.`,
  },
  '/termspage': {
    title: `Terms and Conditions · ${productName}`,
    description: `What ${productName} provides, what we ask of you, billing, refunds, closure and liability.`,
  },
  '/privacypage': {
    title: `Privacy Policy · ${productName}`,
    description: `Which personal data ${productName} keeps, why, for how long, and how you have it changed or deleted.`,
  },
  '/cookiespage': {
    title: `Cookie Policy · ${productName}`,
    description: `Everything ${productName} stores in your browser, by name, with its purpose and its life. No tracking.`,
  },
  '/gdprpage': {
    title: `GDPR · ${productName}`,
    description: `How ${productName} meets the General Data Protection Regulation: roles, legal bases, rights and processing terms.`,
  },
  '/login': {
    title: `Sign in · ${productName}`,
    description: `Sign in to ${productName} with your email and password.`,
  },
  '/signup': {
    title: `Create your account · ${productName}`,
    description: `Create a ${productName} account: a free trial, no credit card.`,
  },
  '/forgot_password': {
    title: `Reset your password · ${productName}`,
    description: `Get a link that sets a new password for your ${productName} account.`,
  },
} as const satisfies Record<string, PageAbout>
