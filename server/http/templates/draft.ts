import type { createDraftService } from '../../usecases/templates/draft-service.ts'
import * as contract from '../../../contract/mail/draft.ts'
import type { SignedInUser } from '../../domain/auth/caller.ts'
import type { DraftKey, DraftVersionRow } from '../../domain/templates/draft.ts'
import type { AddRoute } from '../core/route.ts'

/** The use cases of the draft calls. */
export type DraftUseCases = ReturnType<typeof createDraftService>

/** `/drafts`: unfinished texts of a user, on every device. */
export function addDraftRoutes(add: AddRoute, useCases: DraftUseCases): void {
  const keyOf = (caller: SignedInUser, { kind }: { kind: string }): DraftKey => ({ userId: caller.userId, kind })

  add(contract.getDraft, async ({ params, caller, scope, reply }) => {
    const draft = await useCases.getDraft(scope, keyOf(caller, params))
    if (draft === null) {
      void reply.status(204)
      return null
    }
    return { ...toVersion(draft), replaced: draft.replaced.map(toVersion) }
  })

  add(contract.saveDraft, async ({ params, body, caller, scope }) => {
    const saved = await useCases.saveDraft(scope, keyOf(caller, params), body.content, body.base_revision)
    return {
      revision: saved.revision,
      updated_at: saved.updatedAt.toISOString(),
      replaced: saved.replaced && toVersion(saved.replaced),
    }
  })

  add(contract.deleteDraft, ({ params, query, caller, scope }) =>
    useCases.deleteDraft(scope, keyOf(caller, params), query.revision ?? null),
  )
}

function toVersion({ revision, content, updatedAt }: DraftVersionRow): contract.DraftVersion {
  return { revision, content, updated_at: updatedAt.toISOString() }
}
