/** Contact addresses and profiles; operators set their own. */

/** For legal notices and complaints about mail. */
export const legalEmail = 'legal@sendwright.example'
/** For requests about personal data. */
export const privacyEmail = 'privacy@sendwright.example'

/** The chat that a link of the footer opens: a WhatsApp number without `+`, and the prefilled message. */
export const supportChat = {
  phone: '12025550143',
  message: 'Hello Sendwright, I have a question about sending from my own mailbox.',
} as const

/** Address of the support chat, its message filled in. */
export const supportChatHref = `https://wa.me/${supportChat.phone}?text=${encodeURIComponent(supportChat.message)}`

/** Profiles of the product on other sites. */
export const profiles: readonly { name: string; href: string }[] = [
  { name: 'LinkedIn', href: 'https://www.linkedin.com/company/sendwright' },
  { name: 'X', href: 'https://x.com/sendwright' },
  { name: 'Instagram', href: 'https://www.instagram.com/sendwright' },
]
