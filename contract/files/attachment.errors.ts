/** Error codes of attachments. */
export const attachmentErrors = {
  attachment_refused: {
    status: 422,
    sentence: 'A file cannot be attached. Each item names the file and the reason.',
  },
} as const
