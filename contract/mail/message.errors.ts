/** Error codes of messages. */
export const messageErrors = {
  message_not_found: { status: 404, sentence: 'No message has this id.' },
  mail_too_large: {
    status: 422,
    sentence: 'With its variables replaced, the mail is larger than 10 MB or its subject longer than 998 characters.',
  },
  queue_full: { status: 429, sentence: 'Too many mails are queued. Try again when some are sent.' },
  send_failed: { status: 502, sentence: 'The mail server refused the message for every recipient.' },
} as const
