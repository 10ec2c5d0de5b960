/** Sentences of a campaign's launch, for the composer and the list of campaigns. */

/** Ours: a campaign may leave later, so it does not read as sent. */
export const campaignLaunched = 'Campaign launched'
/** Ours: a launch without an answer may have been done. */
export const launchUnsure = 'Whether the campaign was launched is not known: look for it among the campaigns.'
