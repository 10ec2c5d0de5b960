/** Error codes of messages. */
export const messageErrors = {
  message_not_found: { status: 404, sentence: 'No message has this id.' },
  mail_too_large: {
    status: 422,
    sentence: 'With its variables replaced, the mail is larger than 10 MB or its subject longer than 998 characters.',
  },
  message_state: { status: 409, sentence: 'The message has left or was cancelled; it cannot be changed any more.' },
  too_many_addresses: {
    status: 422,
    sentence: 'A message with cc or bcc has at most 50 addresses altogether. Send to fewer, or without cc and bcc.',
  },
  queue_full: { status: 429, sentence: 'Too many mails are queued. Try again when some are sent.' },
  content_gone: { status: 410, sentence: 'The content of this mail was deleted. Its figures are kept.' },
  cursor_invalid: {
    status: 422,
    sentence: 'The cursor is not one that this list returned. Begin with the first page.',
  },
  search_too_broad: {
    status: 422,
    sentence: 'The search takes too long. Search for a whole address, or add a filter.',
  },
  send_failed: { status: 502, sentence: 'The mail server refused the message for every recipient.' },
} as const
