/** A paragraph, or a list of points. */
export type LegalBlock = string | readonly string[]

export interface LegalSection {
  /** Its anchor in the page. */
  id: string
  title: string
  body: readonly LegalBlock[]
}

/** The text of a legal page. */
export interface LegalDocument {
  title: string
  /** As the page shows it. */
  lastUpdated: string
  /** The same day as an acceptance names it, `YYYY-MM-DD`. */
  date: string
  /** What the document is about, in a sentence or two. */
  summary: string
  sections: readonly LegalSection[]
}
