import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { savedBlockNameMaxChars, savedBlocksMaxCount } from './design.limits.ts'
import * as routes from './saved-block.routes.ts'

const block = Type.Unsafe<object>(
  Type.Object({}, { additionalProperties: true, description: 'A block of a design document (version 1)' }),
)

const SavedBlock = Type.Object({
  id: Type.String(),
  name: Type.String(),
  block,
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A block that is kept under a name. A design holds copies of it. */
export type SavedBlock = Static<typeof SavedBlock>

const name = Type.String({ minLength: 1, maxLength: savedBlockNameMaxChars, description: 'Trimmed' })
const byId = Type.Object({ id: Type.String({ maxLength: 40 }) })

export const listSavedBlocks = defineOperation({
  name: 'listSavedBlocks',
  summary: `The saved blocks of the workspace, by name; at most ${savedBlocksMaxCount}`,
  ...routeOf(routes.listSavedBlocks),
  access: 'member',
  permission: 'templates:read',
  answers: { 200: { description: 'The saved blocks.', body: Type.Array(SavedBlock) } },
})

export const createSavedBlock = defineOperation({
  name: 'createSavedBlock',
  summary: 'Save a block under a name',
  ...routeOf(routes.createSavedBlock),
  access: 'member',
  permission: 'templates:write',
  body: Type.Object({ name, block }),
  answers: { 201: { description: 'Saved.', body: SavedBlock } },
  errors: ['blocks_full', 'design_invalid'],
})

export const updateSavedBlock = defineOperation({
  name: 'updateSavedBlock',
  summary: 'Rename a saved block or replace it; copies in designs stay as they are',
  ...routeOf(routes.updateSavedBlock),
  access: 'member',
  permission: 'templates:write',
  caller: 'program',
  params: byId,
  body: Type.Object({ name: Type.Optional(name), block: Type.Optional(block) }),
  answers: { 200: { description: 'Changed.', body: SavedBlock } },
  errors: ['block_not_found', 'design_invalid'],
})

export const deleteSavedBlock = defineOperation({
  name: 'deleteSavedBlock',
  summary: 'Delete a saved block; copies in designs stay',
  ...routeOf(routes.deleteSavedBlock),
  access: 'member',
  permission: 'templates:write',
  params: byId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['block_not_found'],
})
