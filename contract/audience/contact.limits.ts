/** Limits of contacts and their fields; the unit is in the name (design, audience). */

export const contactFieldsMaxCount = 500
export const contactBatchMaxCount = 1000
export const fieldKeyMaxChars = 100
export const fieldLabelMaxChars = 200
export const choicesMaxCount = 500
export const fieldValueMaxChars = 10_000
export const contactMaxBytes = 64 * 1024
