import { AppError } from '../../../contract/core/errors.ts'
import { draftKindsMaxCount } from '../../../contract/mail/template.limits.ts'
import type { DraftKey, DraftRow, DraftVersionRow } from '../../domain/templates/draft.ts'
import type { DraftStore } from '../../store/templates/draft.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  drafts: Pick<DraftStore, 'find' | 'countOthers' | 'save' | 'remove'>
}

/** Result of a save: `replaced` is a version that the client had not loaded. */
export interface SavedDraftRow {
  revision: number
  updatedAt: Date
  replaced: DraftVersionRow | null
}

/** Autosaved drafts, so that a reload or another device restores them. */
export function createDraftService({ drafts }: Ports) {
  return {
    getDraft: (scope: Scope, key: DraftKey): Promise<DraftRow | null> => drafts.find(scope, key),

    /** The last save wins; a version that the client had not loaded is kept as `replaced`. Throws `drafts_full`. */
    async saveDraft(scope: Scope, key: DraftKey, content: unknown, baseRevision: number): Promise<SavedDraftRow> {
      if ((await drafts.countOthers(scope, key)) >= draftKindsMaxCount) throw new AppError('drafts_full')
      return drafts.save(scope, key, content, baseRevision)
    },

    /** With a `revision`, deletes the draft only if it is still that revision. */
    deleteDraft: (scope: Scope, key: DraftKey, revision: number | null) => drafts.remove(scope, key, revision),
  }
}
