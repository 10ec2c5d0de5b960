/** Where people write to, and where they find the product elsewhere. An operator puts their own. */

/** Takes notices about contracts and complaints about mail. */
export const legalEmail = 'legal@sendwright.example'
/** Takes requests about personal data. */
export const privacyEmail = 'privacy@sendwright.example'

/** The chat that a link of the footer opens: a WhatsApp number without `+`, and what stands in the message already. */
export const supportChat = {
  phone: '12025550143',
  message: 'Hello Sendwright, I have a question about sending from my own mailbox.',
} as const

/** Address of the support chat, its message filled in. */
export const supportChatHref = `https://wa.me/${supportChat.phone}?text=${encodeURIComponent(supportChat.message)}`

/** Profiles of the product elsewhere. */
export const profiles: readonly { name: string; href: string }[] = [
  { name: 'LinkedIn', href: 'https://www.linkedin.com/company/sendwright' },
  { name: 'X', href: 'https://x.com/sendwright' },
  { name: 'Instagram', href: 'https://www.instagram.com/sendwright' },
]
