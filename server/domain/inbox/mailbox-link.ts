/** A mail in its mailbox. */
interface MailInMailbox {
  provider: string
  mailboxAddress: string
  /** `message_id`: its Message-ID without angle brackets. */
  detail: { message_id?: string }
}

const personalOutlook = /@(?:outlook|hotmail|live|msn)\./i

/** The page on which the provider shows the mail, or the mailbox where it has no such page; null for other providers. */
export function mailboxLink({ provider, mailboxAddress, detail }: MailInMailbox): string | null {
  if (provider === 'outlook') {
    return personalOutlook.test(mailboxAddress)
      ? 'https://outlook.live.com/mail/0/'
      : 'https://outlook.office.com/mail/'
  }
  if (provider !== 'gmail') return null
  const mailbox = `https://mail.google.com/mail/?authuser=${encodeURIComponent(mailboxAddress)}`
  return detail.message_id === undefined
    ? mailbox
    : `${mailbox}#search/${encodeURIComponent(`rfc822msgid:${detail.message_id}`)}`
}
