/** Error codes of the check before sending. */
export const deliverabilityErrors = {
  check_not_found: { status: 404, sentence: 'No check has this id. Checks are kept for 30 days.' },
} as const
