/** Error codes of the hosted data backend. */
export const hostedErrors = {
  api_key_refused: {
    status: 401,
    sentence: 'The API key is missing, unknown or revoked. Send one in the x-api-key header.',
  },
  hosted_sign_in_not_recent: {
    status: 403,
    sentence:
      'Changing email or password needs a sign-in within the last 10 minutes. Sign in again, or send current_password.',
  },
  collection_forbidden: { status: 403, sentence: 'This API key is not allowed to do this in this collection.' },
  document_not_found: { status: 404, sentence: 'No document has this id in this collection.' },
  document_exists: {
    status: 409,
    sentence: 'A document with this id already exists. Change it, or choose another id.',
  },
  collection_full: { status: 409, sentence: 'This collection is full. Delete something first.' },
  hosted_email_taken: { status: 409, sentence: 'This email address already has a user. Sign in, or use another.' },
  document_too_large: { status: 413, sentence: 'The document is larger than 256 kB. Store less in it.' },
  hosted_unreachable: { status: 502, sentence: 'The hosted data backend cannot be reached. Try again in a moment.' },
  list_too_slow: {
    status: 503,
    sentence: 'The list took too long. Add a filter on equality, or ask for fewer documents.',
  },
} as const
