/** Marks nodes to find them again after sanitising; unknown outside, and removed before display. */
export const cutAttribute = `data-cut-${crypto.getRandomValues(new Uint32Array(2)).join('')}`

/** Marks a link of a mail by a number of the caller; it is kept where a mail is shown. */
export const linkMarkAttribute = 'data-mail-link'
