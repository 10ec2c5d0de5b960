/** What was saved at one time. */
export interface DraftVersionRow {
  revision: number
  content: unknown
  updatedAt: Date
}

/** A user's draft of one kind, with the replaced versions that a save had not loaded, newest first. */
export interface DraftRow extends DraftVersionRow {
  replaced: DraftVersionRow[]
}

/** Whose draft of what. */
export interface DraftKey {
  userId: string
  kind: string
}
