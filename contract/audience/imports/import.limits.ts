/** Limits of imports; the unit is in the name (design, audience). */

export const importMaxBytes = 2 * 1024 ** 3
export const importChunkBytes = 1024 * 1024
export const importColumnsMaxCount = 1000
export const importCellMaxBytes = 64 * 1024
export const importUndoDays = 30
