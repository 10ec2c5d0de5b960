import type { ContactActionKind } from '../../../contract/audience/contact-action.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ContactStore } from '../../store/contacts/contact.ts'
import type { ActionRow, ActionTarget } from '../../domain/contacts/contact-action.ts'
import type { ContactActionStore } from '../../store/contacts/contact-action.ts'
import type { ContactSelection } from '../../store/contacts/contact-filter.sql.ts'
import type { ListStore } from '../../store/lists/list.ts'
import type { ContactFilterInput, createContactService } from './contact-service.ts'
import { readFields } from './read-contact-entry.ts'

interface Ports {
  actions: Pick<ContactActionStore, 'create' | 'find' | 'beginUndo'>
  contacts: Pick<ContactStore, 'count'>
  lists: Pick<ListStore, 'listExisting'>
  contactService: Pick<ReturnType<typeof createContactService>, 'select' | 'definitionsOf'>
  wake: () => void
  now: () => Date
}

/** An action as a caller gives it. */
export interface ContactActionInput {
  kind: ContactActionKind
  ids?: readonly string[] | undefined
  filter?: ContactFilterInput | undefined
  list_id?: string | undefined
  from_list_id?: string | undefined
  field?: string | undefined
  value?: string | number | boolean | null | undefined
}

const countTimeoutMs = 10_000
const undoMs = 24 * 3_600_000

/** Starts and undoes actions on many contacts. */
export function createContactActionService({ actions, contacts, lists, contactService, wake, now }: Ports) {
  const known = async (scope: Scope, id: string): Promise<ActionRow> => {
    const action = /^[1-9]\d{0,17}$/.test(id) ? await actions.find(scope, Number(id)) : null
    if (action === null) throw new AppError('action_not_found')
    return action
  }

  return {
    /**
     * Throws `validation`, `actions_running`, `list_not_found`, `field_unknown`, `field_value_invalid`,
     * `segment_rule_invalid`, `segment_not_found`.
     */
    async startAction(scope: Scope, input: ContactActionInput, userId: string): Promise<ActionRow> {
      const target = await readTarget(scope, input)
      const selection = await contactService.select(scope, target.filter)
      const total = target.ids?.length ?? (await contacts.count(scope, selection, countTimeoutMs))
      const made = await actions.create(scope, { kind: input.kind, target, total, createdBy: userId, at: now() })
      if (made === null) throw new AppError('actions_running')
      wake()
      return made
    },

    /** Throws `action_not_found`. */
    getAction: known,

    /** Throws `action_not_found`, `undo_too_late`, also for a deletion. */
    async undoAction(scope: Scope, id: string): Promise<ActionRow> {
      await known(scope, id)
      const begun = await actions.beginUndo(scope, Number(id), new Date(now().getTime() - undoMs))
      if (begun === null) throw new AppError('undo_too_late')
      wake()
      return begun
    },
  }

  async function readTarget(scope: Scope, input: ContactActionInput): Promise<ActionTarget> {
    const { kind, ids, filter = {}, list_id: listId, from_list_id: fromListId, field, value } = input
    const isList = kind === 'add_to_list' || kind === 'remove_from_list' || kind === 'move_to_list'
    const listIds = isList ? [required(listId, 'list_id')] : []
    if (kind === 'move_to_list') listIds.push(required(fromListId, 'from_list_id'))
    if (listIds.length > 0) {
      const existing = await lists.listExisting(scope, listIds)
      if (listIds.some((id) => !existing.has(id))) throw new AppError('list_not_found')
    }
    const change = kind === 'set_field' ? await readChange(scope, required(field, 'field'), value) : null
    return {
      ids: ids ?? null,
      filter: Object.fromEntries(Object.entries(filter).filter((entry) => entry[1] !== undefined)),
      listId: listIds[0] ?? null,
      fromListId: listIds[1] ?? null,
      field: change,
    }
  }

  async function readChange(scope: Scope, key: string, value: unknown): Promise<ActionTarget['field']> {
    const read = readFields({ [key]: value ?? null }, await contactService.definitionsOf(scope), ['body'])
    const [[no, written] = ['0', null]] = Object.entries(read)
    return { no: Number(no), value: written }
  }
}

/** The selection of a stored filter. */
export type SelectContacts = (scope: Scope, filter: ContactFilterInput) => Promise<ContactSelection>

function required(value: string | undefined, name: string): string {
  if (value !== undefined) return value
  throw new AppError('validation', {
    items: [{ loc: ['body', name], msg: 'is required for this action', type: 'missing' }],
  })
}

/** Until when an action can be undone; null where it cannot. */
export function actionUndoUntil({ kind, state, createdAt }: ActionRow): Date | null {
  return kind === 'delete' || state !== 'done' ? null : new Date(createdAt.getTime() + undoMs)
}
