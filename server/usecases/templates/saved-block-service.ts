import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { SavedBlockRow } from '../../domain/templates/saved-block.ts'
import { checkBlock } from '../../domain/templates/template-design.ts'
import type { SavedBlockStore } from '../../store/templates/saved-block.ts'

/** Blocks that are kept under a name. Blocks of other workspaces are unknown. */
export function createSavedBlockService({ blocks }: { blocks: SavedBlockStore }) {
  return {
    /** By name. */
    listSavedBlocks: (scope: Scope) => blocks.list(scope),

    /** Throws `validation`, `design_invalid`, `blocks_full`. */
    async createSavedBlock(
      scope: Scope,
      { name, block }: { name: string; block: object },
      createdBy: string,
    ): Promise<SavedBlockRow> {
      checkBlock(block)
      const saved = await blocks.create(scope, { name: readName(name), block, createdBy })
      if (saved === null) throw new AppError('blocks_full')
      return saved
    },

    /** Throws `validation`, `design_invalid`, `block_not_found`. */
    async updateSavedBlock(
      scope: Scope,
      id: string,
      { name, block }: { name?: string; block?: object },
    ): Promise<SavedBlockRow> {
      if (block) checkBlock(block)
      const change = { name: name === undefined ? null : readName(name), block: block ?? null }
      const saved = isBlockId(id) ? await blocks.update(scope, Number(id), change) : null
      if (saved === null) throw new AppError('block_not_found')
      return saved
    },

    /** Throws `block_not_found`. */
    async deleteSavedBlock(scope: Scope, id: string): Promise<void> {
      const isGone = isBlockId(id) && (await blocks.remove(scope, Number(id)))
      if (!isGone) throw new AppError('block_not_found')
    },
  }
}

const isBlockId = (id: string) => /^[1-9]\d{0,14}$/.test(id)

/** Throws `validation` for a blank name and for characters that cannot be stored. */
function readName(name: string): string {
  const trimmed = name.trim()
  const isReadable = trimmed !== '' && trimmed.isWellFormed() && !/\p{Cc}/u.test(trimmed)
  if (isReadable) return trimmed
  const item = { loc: ['body', 'name'], msg: 'Please enter a name on one line', type: 'missing' }
  throw new AppError('validation', { items: [item] })
}
