import type { DraftStorage } from '../widgets/compose/draft-store.ts'

/** What this browser remembers of a person's work. Cleared by Logout. */

const draftKey = (userId: string) => `sendwright-draft:${userId}`

/** The copy of one person's composer draft in this browser; the server has it too. */
export function draftStorage(userId: string): DraftStorage {
  return {
    read() {
      try {
        const kept = JSON.parse(localStorage.getItem(draftKey(userId)) ?? 'null') as ReturnType<DraftStorage['read']>
        return kept?.content ? kept : null
      } catch {
        return null // Not a draft any more: begin anew.
      }
    },
    write(draft) {
      try {
        if (draft === null) localStorage.removeItem(draftKey(userId))
        else localStorage.setItem(draftKey(userId), JSON.stringify(draft))
        return true
      } catch {
        return false // The browser has no room left, or keeps nothing.
      }
    },
  }
}
