/** Error codes of reading mailboxes and of replies. */
export const inboxErrors = {
  imap_unreachable: {
    status: 400,
    sentence: 'The IMAP server cannot be reached. Check its host, port and security; reading stays off.',
  },
  imap_refused: {
    status: 400,
    sentence: 'The IMAP server refused this address and password. Turn on IMAP at the provider and check both.',
  },
  reply_not_found: { status: 404, sentence: 'No reply matches this id. It may have been deleted.' },
  reading_needs_consent: {
    status: 409,
    sentence: 'Reading needs one more permission from the provider. Sign in there once more to give it.',
  },
  reply_settled: { status: 409, sentence: 'This reply is settled already. Reload the list to see its state.' },
  imap_not_offered: {
    status: 422,
    sentence: 'This mail server offers no IMAP, so its replies and bounces cannot be read. Sending works as before.',
  },
} as const
