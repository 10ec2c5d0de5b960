/** Sentences of the configuration manager, with their source. Those of the specification are literal. */

/** Spec §2 and §8. */
export const configAdded = 'Email configuration successfully added!'
export const copied = 'Copied to clipboard'
/** Ours: deleting is shown, not only logged (decisions, Screens). */
export const configDeleted = (address: string) => `${address} is disconnected`
export const notCopied = 'The browser did not let us copy. Select the key and copy it by hand.'
