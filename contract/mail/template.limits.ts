/** Limits and constants of templates and drafts, known to server and browser; the unit is in the name (spec §9, decisions). */

/** Largest number of templates of a workspace and of tags of a template; longest tag, in characters. */
export const templatesMaxCount = 10_000
export const templateTagsMaxCount = 100
export const templateTagMaxChars = 200

/** Longest name of a template, in characters. */
export const templateNameMaxChars = 200

/** Versions of a template that are kept. */
export const templateVersionsMaxCount = 50

/** Largest HTML that is rendered from a design, in bytes of UTF-8. */
export const renderedMaxBytes = 1024 * 1024

/** Largest number of drafts of one user; longest name of a kind of draft, in characters. */
export const draftKindsMaxCount = 200
export const draftKindMaxChars = 80

/** How long the client's list of templates is fresh (spec §9). */
export const templateListFreshMs = 5000

/** How long a deleted template can be restored. */
export const templateKeptDays = 30

/** How long the designer shows 'Saved!' for a new template before it opens the list (decisions, Screens). */
export const savedRedirectMs = 600

/** Storage key of unsaved copies of global templates in the browser (spec §3, decisions). */
export const ownTemplatesStorageKey = 'templates-mine'
