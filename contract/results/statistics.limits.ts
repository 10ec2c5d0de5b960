/** Limits and constants of statistics, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Maximum and default number of days of one statistics call. */
export const statisticsMaxDays = 90
export const statisticsDefaultDays = 30
