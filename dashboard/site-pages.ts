import { publicPages, type PageAbout } from './content/pages.ts'

/** How an address is answered: `rendered` at build, `drawn` by the scripts. */
export type PageKind = 'rendered' | 'drawn'

export interface SitePage {
  /** As the route table writes it; `{…}` stands for one segment. */
  path: string
  kind: PageKind
  about: PageAbout
  /** Whether search engines are told of it. */
  isListed: boolean
  /** The part that the page is drawn by, fetched ahead; null where it comes with something else. */
  part: string | null
}

const rendered = (path: keyof typeof publicPages, part: string): SitePage => ({
  path,
  kind: 'rendered',
  about: publicPages[path],
  isListed: true,
  part: `dashboard/pages/${part}`,
})

const drawn = (path: string, part: string | null, about: PageAbout = publicPages['/']): SitePage => ({
  path,
  kind: 'drawn',
  about,
  isListed: false,
  part: part && `dashboard/${part}`,
})

/** Every address of the product that a browser may open (spec §2): the server answers these, and leads others to /. */
export const sitePages: readonly SitePage[] = [
  rendered('/', 'landing/landing-page.tsx'),
  rendered('/docs', 'documentation/documentation-page.tsx'),
  rendered('/termspage', 'legal/terms-page.tsx'),
  rendered('/privacypage', 'legal/privacy-page.tsx'),
  rendered('/cookiespage', 'legal/cookies-page.tsx'),
  rendered('/gdprpage', 'legal/gdpr-page.tsx'),
  { ...drawn('/login', 'pages/auth/login-page.tsx', publicPages['/login']), isListed: true },
  { ...drawn('/signup', 'pages/auth/signup-page.tsx', publicPages['/signup']), isListed: true },
  drawn('/forgot_password', 'pages/auth/reset-page.tsx', publicPages['/forgot_password']),
  drawn('/forgot_password/{reset_token}', 'pages/auth/reset-page.tsx', publicPages['/forgot_password']),
  drawn('/email_confirm/{confirmation_token}', 'pages/auth/confirm-page.tsx'),
  drawn('/sandbox', 'pages/sandbox/sandbox-page.tsx'),
  drawn('/embed/authorize', 'pages/embeds/consent-page.tsx'),
  ...[
    '/dashboard',
    '/dashboard/profile',
    '/dashboard/send_email',
    '/dashboard/email_config',
    '/dashboard/campaigns',
    '/dashboard/suppressions',
    '/dashboard/documentation',
    '/dashboard/templates',
    '/dashboard/create',
    '/dashboard/globalTemplates',
    '/dashboard/GlobalTemplates',
    '/dashboard/embeds',
  ].map((path) => drawn(path, 'shell/guard.tsx')),
]
