import { proxy } from 'valtio/vanilla'
import { errorText, type Session } from '../../../client/core/http.ts'
import { savedRedirectMs } from '../../../contract/mail/template.limits.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { createFailed, updateFailed } from '../../../widgets/lib/template-messages.ts'
import { copyDesign, isSameDesign, missingFields, withTags, type Design, type DesignerField } from './design.ts'
import type { DesignerDraftParts } from './designer-draft-store.ts'
import { createDesignerDrafts } from './designer-drafts.ts'
import { initialState } from './designer-state.ts'
import { loadDesign, saveDesign } from './save-design.ts'
import { findLocalDraft, removeLocalDraft } from '../templates/local-drafts.ts'

export interface DesignerDeps {
  session: Session
  notify: Notify
  userId: string
  /** Returns the local storage of a template's draft. */
  localDraft: (name: string) => DesignerDraftParts['local']
  /** Id from the navigation state; null creates a new template. */
  templateId: string | null
  /** Called after a new template is saved and not changed since. */
  onCreated: () => void
}

export type DesignerStore = ReturnType<typeof createDesignerStore>

/** State and actions of the designer. `close` stores a pending draft and stops the timers. */
export function createDesignerStore(deps: DesignerDeps) {
  const { session, notify, userId, localDraft, templateId, onCreated } = deps
  const state = proxy(initialState(templateId, templateId === null ? null : findLocalDraft(userId, templateId)))
  /** Id that 'Update' changes. */
  let savedId = state.mode === 'edit' ? templateId : null
  /** The saved design, or the initial one. */
  let saved = copyDesign(state.design)
  let redirect: ReturnType<typeof setTimeout> | undefined
  const isDirty = () => !isSameDesign(state.design, saved)
  const drafts = createDesignerDrafts({ session, state, templateId, localDraft, saved: () => saved, onTaken: changed })

  async function open(): Promise<void> {
    if (state.mode === 'copy') return
    try {
      if (templateId !== null) {
        state.design = await loadDesign(session, templateId)
        saved = copyDesign(state.design)
      }
      drafts.open()
      state.phase = 'ready'
    } catch (error) {
      Object.assign(state, { phase: 'failed', error: errorText(error) })
    }
  }

  function changed(): void {
    clearTimeout(redirect)
    redirect = undefined
    if (state.status !== 'saving') Object.assign(state, { status: 'idle', saveError: null })
    drafts.store()
  }

  function addTags(text: string): void {
    const tags = withTags(state.design.tags, text)
    if (tags.length === state.design.tags.length) return
    state.design.tags = tags
    changed()
  }

  function addEntry(): void {
    const entry = state.tagEntry
    state.tagEntry = ''
    addTags(entry)
  }

  async function save(): Promise<void> {
    if (state.status === 'saving') return
    addEntry()
    state.shownProblems = missingFields(state.design)
    if (state.shownProblems.length > 0) return
    const isNew = savedId === null
    const design = copyDesign(state.design)
    Object.assign(state, { status: 'saving', saveError: null })
    try {
      savedId = await saveDesign(session, savedId, design)
    } catch (error) {
      Object.assign(state, { status: 'failed', saveError: errorText(error) })
      notify({ kind: 'error', text: isNew ? createFailed : updateFailed })
      return
    }
    onSaved(design, isNew)
  }

  function onSaved(design: Design, isNew: boolean): void {
    if (state.mode === 'copy' && templateId !== null) removeLocalDraft(templateId)
    saved = design
    Object.assign(state, { mode: 'edit', isRestored: false })
    drafts.write()
    if (isDirty()) {
      state.status = 'idle' // Changed while it was being saved.
      return
    }
    Object.assign(state, { status: 'saved', draft: null })
    if (isNew) redirect = setTimeout(onCreated, savedRedirectMs)
  }

  void open()

  return {
    state,
    isDirty,
    reload: open,
    write(field: DesignerField, value: string) {
      state.design[field] = value
      changed()
    },
    /** Sets whether public template pickers show the template, once it is saved. */
    setPublic(isPublic: boolean) {
      state.design.isPublic = isPublic
      changed()
    },
    typeTag(text: string) {
      state.tagEntry = text
    },
    addEntry,
    addTags,
    removeTag(tag: string) {
      state.design.tags = state.design.tags.filter((one) => one !== tag)
      changed()
    },
    /** Restores the saved design and deletes the draft. */
    discard() {
      state.design = copyDesign(saved)
      state.isRestored = false
      changed()
    },
    /** Saves the template, or shows which fields are missing. */
    save,
    /** Stores the draft at once. */
    keep: drafts.keep,
    close() {
      clearTimeout(redirect)
      drafts.close()
    },
  }
}
