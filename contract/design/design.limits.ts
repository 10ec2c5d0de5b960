/** Limits of design documents, known to server and browser; the unit is in the name. */

/** The version that this edition writes. */
export const designVersion = 1

/** Longest JSON text, in bytes of UTF-8. */
export const designMaxBytes = 512 * 1024

/** Rows of a design; blocks in all columns; blocks in all cells of tables. */
export const designRowsMaxCount = 500
export const designBlocksMaxCount = 500
export const cellBlocksMaxCount = 2000

/** Columns of a row; the sum of their spans is at most 12. */
export const rowColumnsMaxCount = 4
export const spanMax = 12

/** Cells of a table in a line; lines of a table; tables inside each other. */
export const tableColumnsMaxCount = 10
export const tableRowsMaxCount = 50
export const tableDepthMax = 8

/** Lists inside each other. */
export const listDepthMax = 3

/** Narrowest and widest mail, in px. */
export const mailWidthMinPx = 480
export const mailWidthMaxPx = 720

/** Widths of this and more use the styles for wide screens, in px. */
export const wideScreenMinPx = 480

/** Links of a menu or of social networks. */
export const menuLinksMaxCount = 12

/** Longest text of a preheader, of an address and of other short texts, in characters. */
export const preheaderMaxChars = 250
export const addressMaxChars = 2000
export const designTextMaxChars = 1000

/** Saved blocks of a workspace; longest name of one, in characters. */
export const savedBlocksMaxCount = 500
export const savedBlockNameMaxChars = 100

/** Faults that a check reports before it stops. */
export const designFaultsMaxCount = 20
