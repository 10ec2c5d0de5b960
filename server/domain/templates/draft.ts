/** What was saved at one time. */
export interface DraftVersionRow {
  revision: number
  content: unknown
  updatedAt: Date
}

/** A person's draft of one kind, with the versions that a save replaced without having known them, newest first. */
export interface DraftRow extends DraftVersionRow {
  replaced: DraftVersionRow[]
}

/** Whose draft of what. */
export interface DraftKey {
  userId: string
  kind: string
}
