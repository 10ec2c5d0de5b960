import type {
  createList as CreateList,
  deleteList as DeleteList,
  List,
  ListChanges,
  listLists as ListLists,
  NewList,
  updateList as UpdateList,
} from '../../contract/audience/list.ts'
import * as routes from '../../contract/audience/list.routes.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** Lists with the numbers of their members, by name. */
export function listLists(session: Session, options?: CallOptions): Promise<List[]> {
  return call<typeof ListLists>(session, { route: routes.listLists }, options)
}

export function createList(session: Session, body: NewList, options?: CallOptions): Promise<List> {
  return call<typeof CreateList>(session, { route: routes.createList, body }, options)
}

/** Changes what is given; members stay. */
export function updateList(session: Session, id: string, body: ListChanges, options?: CallOptions): Promise<List> {
  return call<typeof UpdateList>(session, { route: routes.updateList, params: { id }, body }, options)
}

/** Deletes a list; its contacts stay. */
export function deleteList(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof DeleteList>(session, { route: routes.deleteList, params: { id } }, options)
}
