/** Campaigns that are compared at once: so many columns fit a screen. */
export const comparedMaxCount = 5
