/** Limits of lists; the unit is in the name (design, audience). */

export const listsMaxCount = 10_000
export const listNameMaxChars = 200
export const listDescriptionMaxChars = 2000
