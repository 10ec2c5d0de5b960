/** Limits and constants of workspaces, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Longest name of a workspace, in characters. */
export const workspaceNameMaxChars = 100

/** Longest postal address, in characters. */
export const postalAddressMaxChars = 500
