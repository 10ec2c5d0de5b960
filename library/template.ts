import type { Design } from '../contract/design/design.ts'

/** The subject of a template, in the categories of a list. */
export type TemplateCategory = 'Account' | 'Orders' | 'Newsletters' | 'Promotions' | 'Events' | 'Relationships'

/**
 * The purpose of a mail: `marketing` needs an unsubscribe link and the sender's postal address in each mail;
 * `transactional` responds to an action of its recipient.
 */
export type TemplateKind = 'marketing' | 'transactional'

/** The description of a template beside its MJML and its plain text. */
export interface TemplateAbout {
  /** The name of its folder, its files and, as `global-<slug>`, its document. Never changes once released. */
  readonly slug: string
  readonly kind: TemplateKind
  readonly category: TemplateCategory
  /** The title on a card. */
  readonly name: string
  /** One sentence: its use and its look. */
  readonly description: string
  /** With merge variables. */
  readonly subject: string
  /** A value for each merge variable that differs per template, for previews. */
  readonly sample: Readonly<Record<string, string>>
}

/** A global template in `dist/library/index.json`: a document of the hosted collection `templates`. */
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
    /** The same mail as a design document: the editor opens it as blocks. */
    readonly design: Design
    /** The same mail as plain text, lines of at most 76 characters except those with a variable. */
    readonly text: string
    /** The merge variables of subject, body and text, each once. */
    readonly context: readonly string[]
    /** A value for each of them. */
    readonly sample: Readonly<Record<string, string>>
    /** Hash of the other fields: another version has other content. */
    readonly version: string
  }
}
