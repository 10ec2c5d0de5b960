import type { LocalDraft, LocalDraftStorage } from '../client/mail/draft-sync.ts'

/** What this browser remembers of a person's work. Cleared by Logout. */

const draftKey = (name: string) => `sendwright-draft:${name}`

/**
 * The copy of a draft in this browser; the server has it too. The composer's is named by the person, a template's by the
 * person and the template.
 */
export function draftStorage<T>(name: string): LocalDraftStorage<T> {
  return {
    read() {
      try {
        const kept = JSON.parse(localStorage.getItem(draftKey(name)) ?? 'null') as LocalDraft<T> | null
        return kept?.content ? kept : null
      } catch {
        return null // Not a draft any more: begin anew.
      }
    },
    write(draft) {
      try {
        if (draft === null) localStorage.removeItem(draftKey(name))
        else localStorage.setItem(draftKey(name), JSON.stringify(draft))
        return true
      } catch {
        return false // The browser has no room left, or keeps nothing.
      }
    },
  }
}
