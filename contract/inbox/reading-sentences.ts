/** What owners read when a mailbox cannot be read: what is the matter, then what to do. */
export const readingSentences = {
  noImap:
    'This mail server offers no IMAP, so its replies and bounces cannot be read. Sending works as before; fill in “IMAP server” if the provider has one.',
  outlookImapPassword:
    'Microsoft does not accept an app password for reading a mailbox. Connect the mailbox by signing in with Microsoft, where this server offers it; sending works as before.',
  readingConsent:
    'The provider has allowed this mailbox to send, but not to be read. Sign in there once more to read replies and bounces; sending goes on in any case.',
  imapRefused:
    'The IMAP server refused the password. Turn on IMAP at the provider, or connect the mailbox again with a new app password; then turn reading on again.',
} as const
