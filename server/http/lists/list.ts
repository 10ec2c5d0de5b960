import * as contract from '../../../contract/audience/list.ts'
import type { ListRow } from '../../domain/lists/list.ts'
import type { createListService } from '../../usecases/lists/list-service.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/lists`. */
export function addListRoutes(add: AddRoute, lists: ReturnType<typeof createListService>): void {
  add(contract.listLists, async ({ scope }) => (await lists.listLists(scope)).map(toList))
  add(contract.createList, async ({ body, scope }) => toList(await lists.createList(scope, body)))
  add(contract.getList, async ({ params, scope }) => toList(await lists.getList(scope, params.id)))
  add(contract.updateList, async ({ params, body, scope }) => toList(await lists.updateList(scope, params.id, body)))
  add(contract.deleteList, async ({ params, scope }) => {
    await lists.deleteList(scope, params.id)
    return null
  })
}

const toList = (row: ListRow): contract.List => ({
  id: String(row.id),
  name: row.name,
  description: row.description,
  is_public: row.isPublic,
  member_count: row.subscribedCount,
  pending_count: row.pendingCount,
  unsubscribed_count: row.unsubscribedCount,
  growth_30_days: row.grownCount,
  created_at: row.createdAt.toISOString(),
})
