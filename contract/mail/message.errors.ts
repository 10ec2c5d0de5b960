/** Error codes of messages. */
export const messageErrors = {
  message_not_found: { status: 404, sentence: 'No message has this id.' },
  mail_too_large: {
    status: 422,
    sentence: 'With its variables filled the mail is larger than 10 MB, or its subject longer than 998 characters.',
  },
  queue_full: { status: 429, sentence: 'Too many mails are waiting to be sent. Try again when some have left.' },
  send_failed: { status: 502, sentence: 'The mail server refused the message for every recipient.' },
} as const
