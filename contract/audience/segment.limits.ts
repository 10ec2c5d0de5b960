/** Limits of segments; the unit is in the name (design, audience). */

export const segmentsMaxCount = 1000
/** Segments whose members are kept up to date. */
export const liveSegmentsMaxCount = 50
export const segmentNameMaxChars = 200

/** Conditions of a rule, and levels of groups. */
export const ruleLeavesMaxCount = 100
export const ruleLevelsMaxCount = 8
/** Entries of `is_one_of`, and campaigns of a behaviour. */
export const ruleValuesMaxCount = 1000
export const ruleDaysMax = 36_500
