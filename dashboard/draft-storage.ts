import type { LocalDraft, LocalDraftStorage } from '../client/mail/draft-sync.ts'

const draftKey = (name: string) => `sendwright-draft:${name}`

/**
 * Stores a draft in local storage; the server stores it too. `name` is the user id for the composer's draft, and the user
 * id and the template id for a template's draft. Logout clears it.
 */
export function draftStorage<T>(name: string): LocalDraftStorage<T> {
  return {
    read() {
      try {
        const stored = JSON.parse(localStorage.getItem(draftKey(name)) ?? 'null') as LocalDraft<T> | null
        return stored?.content ? stored : null
      } catch {
        return null // Unreadable: start without a draft.
      }
    },
    write(draft) {
      try {
        if (draft === null) localStorage.removeItem(draftKey(name))
        else localStorage.setItem(draftKey(name), JSON.stringify(draft))
        return true
      } catch {
        return false // Storage is full or disabled.
      }
    },
  }
}
