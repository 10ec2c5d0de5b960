/** Limits and constants of campaigns, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Longest name of a campaign, in characters; largest number of its mailboxes, and of recipients of one test. */
export const campaignNameMaxChars = 200
export const configsOfCampaignMaxCount = 20
export const campaignTestRecipientsMaxCount = 10

/** Largest number of unfilled variables that an answer lists. */
export const unfilledShownMaxCount = 20
