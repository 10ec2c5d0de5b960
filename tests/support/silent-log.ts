/** A log that discards its entries. */
export const silentLog = { info: () => {}, warn: () => {}, error: () => {} }
