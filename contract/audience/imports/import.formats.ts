/** Encodings of text files; labels of the Encoding Standard. */
export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const
export type TextEncoding = (typeof textEncodings)[number]

/** Orders of year, month and day that a column of dates may have. */
export const dateStyles = ['YYYY-MM-DD', 'YYYY/MM/DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD-MM-YYYY'] as const
export type DateStyle = (typeof dateStyles)[number]

/** Ways to write a number with thousands and decimals. */
export const decimalStyles = ['1,234.5', '1.234,5'] as const
export type DecimalStyle = (typeof decimalStyles)[number]

export const importModes = ['add', 'add_and_update'] as const
export type ImportMode = (typeof importModes)[number]
