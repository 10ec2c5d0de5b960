import { ownTemplatesStorageKey } from '../../../contract/mail/template.limits.ts'
import type { TemplateRecord } from '../../../widgets/lib/template-record.ts'

/** A copy of a global template that is not saved yet. Stored in this browser under `templates-mine` (decisions, Screens). */
export interface LocalDraft {
  id: string
  /** Whose it is: a browser may be shared. */
  user_id: string
  is_new_from_global: true
  global_id: string
  /** Of the global template, until it is changed. */
  name?: string
  subject: string
  body: string
  /** The design document, if it has one. */
  design?: unknown
  context: string[]
  sample: Record<string, string>
  created_at: string
  updated_at: string
}

/** The copies of a user, newest first. Other stored values are ignored. */
export function listLocalDrafts(userId: string): LocalDraft[] {
  return readAll().filter((draft) => draft.user_id === userId)
}

export function findLocalDraft(userId: string, id: string): LocalDraft | null {
  return listLocalDrafts(userId).find((draft) => draft.id === id) ?? null
}

/** Creates a copy of a global template with a new id. Throws when the storage is full. */
export function addLocalDraft(userId: string, template: TemplateRecord): LocalDraft {
  const { id: global_id, name, subject, body, design, context, sample } = template
  const now = new Date().toISOString()
  const texts = { name, subject, body, design, context: [...context], sample: { ...sample } }
  const draft: LocalDraft = {
    id: freshId(),
    user_id: userId,
    is_new_from_global: true,
    global_id,
    ...texts,
    created_at: now,
    updated_at: now,
  }
  writeAll([draft, ...readAll()])
  return draft
}

/** Stores the changes of a copy. Throws when the storage is full. */
export function changeLocalDraft(
  id: string,
  change: Pick<LocalDraft, 'name' | 'subject' | 'body' | 'design' | 'context'>,
): void {
  const updated_at = new Date().toISOString()
  writeAll(readAll().map((draft) => (draft.id === id ? { ...draft, ...change, updated_at } : draft)))
}

export function removeLocalDraft(id: string): void {
  writeAll(readAll().filter((draft) => draft.id !== id))
}

function readAll(): LocalDraft[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(ownTemplatesStorageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isDraft) : []
  } catch {
    return [] // Invalid: start with an empty list.
  }
}

function writeAll(drafts: readonly LocalDraft[]): void {
  if (drafts.length === 0) localStorage.removeItem(ownTemplatesStorageKey)
  else localStorage.setItem(ownTemplatesStorageKey, JSON.stringify(drafts))
}

function isDraft(value: unknown): value is LocalDraft {
  const { id, subject, body, context } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && typeof subject === 'string' && typeof body === 'string' && Array.isArray(context)
}

/** A page that came over plain http from another machine has no randomUUID. */
function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `local-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
