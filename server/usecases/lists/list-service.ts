import { listsMaxCount } from '../../../contract/audience/list.limits.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ListRow } from '../../domain/lists/list.ts'
import type { ListStore } from '../../store/lists/list.ts'
import type { SegmentStore } from '../../store/segments/segment.ts'

interface Ports {
  lists: Pick<ListStore, 'list' | 'find' | 'create' | 'update' | 'remove'>
  segments: Pick<SegmentStore, 'requestRebuild'>
  now: () => Date
}

interface ListInput {
  name: string
  description?: string | undefined
  is_public?: boolean | undefined
}

/** Manages the lists of a workspace. */
export function createListService({ lists, segments, now }: Ports) {
  const known = async (scope: Scope, id: string): Promise<ListRow> => {
    const list = isListId(id) ? await lists.find(scope, id, now()) : null
    if (list === null) throw new AppError('list_not_found')
    return list
  }

  return {
    /** By name. */
    listLists: (scope: Scope) => lists.list(scope, now()),

    /** Throws `list_not_found`. */
    getList: known,

    /** Throws `validation`, `list_exists`, `list_limit_reached`. */
    async createList(
      scope: Scope,
      { name, description = '', is_public: isPublic = false }: ListInput,
    ): Promise<ListRow> {
      const row = { name: cleanName(name), description: description.trim(), isPublic, createdAt: now() }
      const made = await lists.create(scope, row, listsMaxCount)
      if (made === 'taken') throw new AppError('list_exists')
      if (made === 'limit') throw new AppError('list_limit_reached')
      return known(scope, String(made))
    },

    /** Throws `validation`, `list_not_found`, `list_exists`. */
    async updateList(
      scope: Scope,
      id: string,
      { name, description, is_public: isPublic }: Partial<ListInput>,
    ): Promise<ListRow> {
      const changes = {
        ...(name !== undefined && { name: cleanName(name) }),
        ...(description !== undefined && { description: description.trim() }),
        ...(isPublic !== undefined && { isPublic }),
      }
      const outcome = isListId(id) ? await lists.update(scope, id, changes) : null
      if (outcome === 'taken') throw new AppError('list_exists')
      if (outcome === null) throw new AppError('list_not_found')
      return known(scope, id)
    },

    /** Throws `list_not_found`. */
    async deleteList(scope: Scope, id: string): Promise<void> {
      if (!isListId(id) || !(await lists.remove(scope, id, now()))) throw new AppError('list_not_found')
      await segments.requestRebuild(scope, now())
    },
  }
}

const isListId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id)

function cleanName(name: string): string {
  const text = name.normalize('NFC').trim()
  if (text !== '') return text
  throw new AppError('validation', { items: [{ loc: ['body', 'name'], msg: 'needs a name', type: 'missing' }] })
}
