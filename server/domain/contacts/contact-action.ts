import type { ContactActionKind } from '../../../contract/audience/contact-action.ts'
import type { FieldValue } from './field-value.ts'

/** What an action does, besides its kind. */
export interface ActionTarget {
  ids: readonly string[] | null
  /** The filter as the caller gave it. */
  filter: Readonly<Record<string, string>>
  listId: string | null
  fromListId: string | null
  field: { no: number; value: FieldValue | null } | null
}

/** An action as it is stored. */
export interface ActionRow {
  id: number
  workspaceId: string
  kind: ContactActionKind
  filter: ActionTarget
  state: 'running' | 'done' | 'undoing' | 'undone' | 'failed'
  done: number
  total: number
  afterId: number
  createdAt: Date
}
