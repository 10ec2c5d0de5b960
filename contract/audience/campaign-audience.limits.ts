/** Limits of the audience of a campaign; the unit is in the name. */

/** Lists, segments, excluded lists and excluded segments of one campaign, of each. */
export const audienceRefsMaxCount = 100

/** Addresses of a count beside lists and segments, and the bytes of such a call. */
export const audienceRecipientsMaxCount = 50_000
export const audienceBodyMaxBytes = 4 * 1024 * 1024

/** People of one page. */
export const audiencePeopleMaxCount = 50
