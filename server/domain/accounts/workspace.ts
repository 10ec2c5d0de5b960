/** A workspace as its members see it. */
export interface WorkspaceRow {
  id: string
  name: string
  /** Lines of text; null until it is set. */
  postalAddress: string | null
}
