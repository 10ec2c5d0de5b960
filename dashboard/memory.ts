import type { DraftStorage, KeptDraft } from '../widgets/compose/draft-store.ts'

/** What this browser remembers of a person's work, until drafts live on the server. Cleared by Logout. */

const draftKey = (userId: string) => `sendwright-draft:${userId}`

/** The composer's draft of one person. */
export function draftStorage(userId: string): DraftStorage {
  return {
    read() {
      try {
        return JSON.parse(localStorage.getItem(draftKey(userId)) ?? 'null') as KeptDraft | null
      } catch {
        return null // Not a draft any more: begin anew.
      }
    },
    write(draft) {
      if (draft === null) localStorage.removeItem(draftKey(userId))
      else localStorage.setItem(draftKey(userId), JSON.stringify(draft))
    },
  }
}
