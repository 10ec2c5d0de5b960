/** Sentences about templates, with their source. Those of the specification are literal, odd spellings included. */

/** Spec §8: toasts. */
export const createFailed = 'Error occurred creating template'
export const updateFailed = 'Error occurred updating template'
export const copyFailed = 'Failed to copy template content'
export const saveFailed = 'Error occured saving template'
export const loadFailed = 'Error occured loading templates'

/** Spec §5: the create-template dialog. */
export const createProblems = {
  subject: 'Subject is required',
  body: 'Body is required',
  tags: 'At least one context tag is required',
} as const

/** Ours. */
export const templateCreated = 'Template created'
export const notReached = 'The connection broke. Check it and try again.'
