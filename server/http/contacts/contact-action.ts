import * as contract from '../../../contract/audience/contact-action.ts'
import type { ActionRow } from '../../domain/contacts/contact-action.ts'
import { actionUndoUntil, type createContactActionService } from '../../usecases/contacts/contact-action-service.ts'
import type { AddRoute } from '../core/route.ts'
import { authorize } from '../../domain/auth/authorize.ts'

/** `/email/contacts/actions`. */
export function addContactActionRoutes(add: AddRoute, actions: ReturnType<typeof createContactActionService>): void {
  add(contract.startContactAction, async ({ body, caller, scope }) => {
    if (body.kind === 'delete') authorize(caller, 'contacts:delete')
    return toAction(await actions.startAction(scope, body, caller.userId))
  })
  add(contract.getContactAction, async ({ params, scope }) => toAction(await actions.getAction(scope, params.id)))
  add(contract.undoContactAction, async ({ params, scope }) => toAction(await actions.undoAction(scope, params.id)))
}

const toAction = (row: ActionRow): contract.ContactAction => ({
  id: String(row.id),
  kind: row.kind,
  state: row.state,
  done: row.done,
  total: row.total,
  undo_until: actionUndoUntil(row)?.toISOString() ?? null,
})
