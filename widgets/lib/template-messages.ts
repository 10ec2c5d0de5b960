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

/** Spec §5: the designer. */
export const designerProblems = {
  subject: 'Please enter a subject',
  body: 'Please enter a template body',
} as const

/** Spec §2. */
export const deleteQuestion = 'Are you sure you want to delete this email template'
export const searchPlaceholder = 'Search in subjects, content, or tags...'

/** Ours. */
export const templateSaved = 'Template saved to your own'
export const templateDuplicated = 'Template duplicated'
export const deleteFailed = 'The template could not be deleted'
export const restoreFailed = 'The template could not be brought back'
export const copiedKey = 'Copied to clipboard'
export const copiedHtml = 'HTML copied to clipboard'
export const templateCreated = 'Template created'
export const notReached = 'The connection was lost. Check it and try again.'
