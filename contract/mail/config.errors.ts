/** Error codes of mailboxes. */
export const configErrors = {
  mailbox_refused: { status: 400, sentence: 'The mail server refused this address and app password. Check both.' },
  mailbox_unreachable: {
    status: 400,
    sentence: 'The mail server cannot be reached. Check its host, port and security.',
  },
  mailbox_sign_in_failed: {
    status: 400,
    sentence: 'The sign-in at the mailbox’s provider was not completed. Start it again.',
  },
  mailbox_sign_in_not_offered: {
    status: 400,
    sentence:
      'Signing in with this provider is not set up on this server. Use an app password, or ask its operator to set it up.',
  },
  config_not_found: { status: 404, sentence: 'No mailbox matches. Check the secret key or the id.' },
  mailbox_paused: { status: 409, sentence: 'This mailbox is paused. Connect it again before you send.' },
} as const
