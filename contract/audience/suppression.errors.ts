/** Error codes of suppressions. */
export const suppressionErrors = {
  suppression_not_found: { status: 404, sentence: 'No suppression has this id.' },
  suppression_locked: {
    status: 409,
    sentence: 'This person opted out. Add ?consented=true only if they have asked for mail again.',
  },
} as const
