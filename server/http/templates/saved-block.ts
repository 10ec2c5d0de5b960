import * as contract from '../../../contract/design/saved-block.ts'
import type { SavedBlockRow } from '../../domain/templates/saved-block.ts'
import type { createSavedBlockService } from '../../usecases/templates/saved-block-service.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/blocks`. */
export function addSavedBlockRoutes(add: AddRoute, blocks: ReturnType<typeof createSavedBlockService>): void {
  add(contract.listSavedBlocks, async ({ scope }) => (await blocks.listSavedBlocks(scope)).map(toSavedBlock))
  add(contract.createSavedBlock, async ({ body, caller, scope }) =>
    toSavedBlock(await blocks.createSavedBlock(scope, body, caller.userId)),
  )
  add(contract.updateSavedBlock, async ({ params, body, scope }) =>
    toSavedBlock(await blocks.updateSavedBlock(scope, params.id, body)),
  )
  add(contract.deleteSavedBlock, ({ params, scope }) => blocks.deleteSavedBlock(scope, params.id))
}

const toSavedBlock = ({ id, name, block, createdAt }: SavedBlockRow): contract.SavedBlock => ({
  id: String(id),
  name,
  block,
  created_at: createdAt.toISOString(),
})
