/** The footer's links to documents (spec §2). */
export const legalLinks: readonly { text: string; href: string }[] = [
  { text: 'Privacy Policy', href: '/privacypage' },
  { text: 'Terms of Service', href: '/termspage' },
  { text: 'Cookie Policy', href: '/cookiespage' },
  { text: 'GDPR', href: '/gdprpage' },
]
