/** Marks nodes to find them again after sanitising; unknown outside, and removed before display. */
export const cutAttribute = `data-cut-${crypto.getRandomValues(new Uint32Array(2)).join('')}`
