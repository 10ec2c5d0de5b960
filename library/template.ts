/** What a template is about, in the words of a list that groups them. */
export type TemplateCategory = 'Account' | 'Orders' | 'Newsletters' | 'Promotions' | 'Events' | 'Relationships'

/**
 * Why a mail is sent: `marketing` needs a way out of the list and the sender's postal address in each mail; a
 * `transactional` one answers something that its reader did.
 */
export type TemplateKind = 'marketing' | 'transactional'

/** What is said about a template beside its MJML and its plain text. */
export interface TemplateAbout {
  /** Names its folder, its files and, as `global-<slug>`, its document. Never changes once released. */
  readonly slug: string
  readonly kind: TemplateKind
  readonly category: TemplateCategory
  /** As a card shows it. */
  readonly name: string
  /** One sentence: what it is for and what it looks like. */
  readonly description: string
  /** With merge variables. */
  readonly subject: string
  /** A value for each merge variable that is not the same in every template, as previews show it. */
  readonly sample: Readonly<Record<string, string>>
}

/** A global template as `dist/library/index.json` holds it: a document of the hosted collection `templates`. */
export interface LibraryTemplate {
  readonly id: `global-${string}`
  readonly data: {
    /** The template's slug. */
    readonly key: string
    readonly name: string
    readonly category: TemplateCategory
    readonly description: string
    readonly subject: string
    /** The whole mail as HTML, with merge variables. */
    readonly body: string
    /** The same mail as plain text, lines of at most 76 characters beside those that hold a variable. */
    readonly text: string
    /** The merge variables of subject, body and text, each once. */
    readonly context: readonly string[]
    /** A value for each of them. */
    readonly sample: Readonly<Record<string, string>>
    /** Hash of all the rest: another version is another content. */
    readonly version: string
  }
}
