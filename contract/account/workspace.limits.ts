/** Limits and constants of workspaces, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Longest name of a workspace, in characters. */
export const workspaceNameMaxChars = 100

/** For how many months single opens, clicks and other events are kept: least and most. */
export const eventsKeepMonths = { min: 1, max: 120 } as const

/** Longest postal address, in characters. */
export const postalAddressMaxChars = 500
