/** Limits of contacts and their fields; the unit is in the name (design, audience). */

export const contactFieldsMaxCount = 500
export const contactBatchMaxCount = 1000
export const fieldKeyMaxChars = 100
export const fieldLabelMaxChars = 200
export const choicesMaxCount = 500
export const fieldValueMaxChars = 10_000
export const contactMaxBytes = 64 * 1024

/** Events that a timeline shows. */
export const timelineEventKinds = [
  'opened',
  'clicked',
  'replied',
  'auto_replied',
  'bounced',
  'delayed',
  'complained',
  'unsubscribed',
  'resubscribed',
  'list_joined',
  'list_left',
] as const

/** What a timeline shows. */
export const timelineKinds = ['campaign', 'message', ...timelineEventKinds, 'consent', 'membership', 'created'] as const
