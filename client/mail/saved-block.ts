import type { SavedBlock } from '../../contract/design/saved-block.ts'
import type * as api from '../../contract/design/saved-block.ts'
import * as routes from '../../contract/design/saved-block.routes.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** The saved blocks of the workspace, by name. */
export function listSavedBlocks(session: Session, options?: CallOptions): Promise<SavedBlock[]> {
  return call<typeof api.listSavedBlocks>(session, { route: routes.listSavedBlocks }, options)
}

/** Saves a block under a name. */
export function createSavedBlock(
  session: Session,
  block: Pick<SavedBlock, 'name' | 'block'>,
  options?: CallOptions,
): Promise<SavedBlock> {
  return call<typeof api.createSavedBlock>(session, { route: routes.createSavedBlock, body: block }, options)
}

export function deleteSavedBlock(session: Session, id: string, options?: CallOptions): Promise<null> {
  return call<typeof api.deleteSavedBlock>(session, { route: routes.deleteSavedBlock, params: { id } }, options)
}
