/** Limits and constants of the hosted data backend, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Largest `data` of a document or of a hosted user, as JSON text in UTF-8. */
export const documentMaxBytes = 256 * 1024

/** Longest name of a collection and longest id of a document, in characters. */
export const collectionNameMaxChars = 100
export const documentIdMaxChars = 128

/** Filters of one list call, and the length of one, in characters. */
export const filtersMaxCount = 8
export const filterMaxChars = 1000

/** Largest total that a filtered list counts; larger totals are a lower bound. */
export const filteredCountMaxCount = 500

/** Largest number of documents and largest size of a hosted user's own collection. */
export const ownCollectionMaxCount = 200
export const ownCollectionMaxBytes = 1024 * 1024

/** Lifetime of a hosted user's token. */
export const hostedTokenLifeDays = 30

/** How long after a sign-in a hosted user can change email or password without the current password. */
export const hostedSignInRecentMinutes = 10

/** Collection of the global templates (spec §7). */
export const templatesCollection = 'templates'

/** Storage keys of a hosted user's token and of the user in the browser (spec §3). */
export const hostedTokenStorageKey = 'cocobase-token'
export const hostedUserStorageKey = 'cocobase-user'
