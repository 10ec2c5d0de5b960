/** Whether a text has neither a NUL nor half a surrogate pair, which the database and mails cannot hold. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
