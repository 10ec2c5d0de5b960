import { dashboardPaths } from './dashboard-routes.tsx'
import { publicPages, type PageAbout } from './content/pages.ts'

/** How a page is rendered: at build (`rendered`) or by the scripts (`drawn`). */
export type PageKind = 'rendered' | 'drawn'

export interface SitePage {
  /** As in the route table; `{…}` is one segment. */
  path: string
  kind: PageKind
  about: PageAbout
  /** Whether the sitemap contains it. */
  isListed: boolean
  /** The module that renders the page, preloaded; null if another module contains it. */
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

/** Every page address of the product (spec §2); the server redirects all others to /. */
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
  ...dashboardPaths.map((path) => drawn(path, 'dashboard-routes.tsx')),
]
