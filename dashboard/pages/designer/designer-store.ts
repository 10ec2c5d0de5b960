import { proxy } from 'valtio/vanilla'
import { ApiError, errorText, type Session } from '../../../client/core/http.ts'
import type { Design as DesignDocument } from '../../../contract/design/design.ts'
import { savedRedirectMs } from '../../../contract/mail/template.limits.ts'
import { isNewerDesign } from '../../../mail-design/migrate.ts'
import { renderHtml } from '../../../mail-design/render-html.ts'
import { renderInSlices } from '../../../widgets/compose/modes/render-in-slices.ts'
import { designOfHtml, randomId } from '../../../widgets/compose/modes/design/document/new-blocks.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
import type { Template } from '../../../contract/mail/template.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { createFailed, updateFailed } from '../../../widgets/lib/template-messages.ts'
import {
  copyDesign,
  documentOf,
  isSameDesign,
  missingFields,
  withTags,
  type Design,
  type DesignerField,
} from './design.ts'
import type { DesignerDraftParts } from './designer-draft-store.ts'
import { createDesignerDrafts } from './designer-drafts.ts'
import { initialState } from './designer-state.ts'
import { loadDesign, readDesign, saveDesign, type SavedTemplate } from './save-design.ts'
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

/** Pause in editing before the HTML of the blocks is rendered, in ms. */
const renderAfterMs = 300

export type DesignerStore = ReturnType<typeof createDesignerStore>

/** State and actions of the designer. `close` stores a pending draft and stops the timers. */
export function createDesignerStore(deps: DesignerDeps) {
  const { session, notify, userId, localDraft, templateId, onCreated } = deps
  const state = proxy(initialState(templateId, templateId === null ? null : findLocalDraft(userId, templateId)))
  /** What 'Update' changes. */
  let stored: SavedTemplate | null = null
  /** The blocks that became code, and that code: unchanged, it becomes the blocks again. */
  let replaced: { document: DesignDocument; body: string } | null = null
  let rendering: ReturnType<typeof setTimeout> | undefined
  /** The saved design, or the initial one. */
  let saved = copyDesign(state.design)
  let redirect: ReturnType<typeof setTimeout> | undefined
  const isDirty = () => !isSameDesign(state.design, saved)
  const drafts = createDesignerDrafts({ session, state, templateId, localDraft, saved: () => saved, onTaken: changed })

  async function open(): Promise<void> {
    if (state.mode === 'copy') return
    try {
      if (templateId !== null) {
        const loaded = await loadDesign(session, templateId)
        state.design = loaded.design
        stored = { id: templateId, revision: loaded.revision }
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
    renderNow()
    state.shownProblems = missingFields(state.design)
    if (state.shownProblems.length > 0) return
    const isNew = stored === null
    const design = copyDesign(state.design)
    Object.assign(state, { status: 'saving', saveError: null })
    try {
      stored = await saveDesign(session, stored, design)
    } catch (error) {
      if (error instanceof ApiError && error.status === 409 && stored !== null) await meetConflict(stored.id)
      Object.assign(state, { status: 'failed', saveError: errorText(error) })
      notify({ kind: 'error', text: isNew ? createFailed : updateFailed })
      return
    }
    onSaved(design, isNew)
  }

  /** Someone else saved the template: their version is offered, and the next save is based on it. */
  async function meetConflict(id: string): Promise<void> {
    try {
      const { design, revision } = await loadDesign(session, id)
      stored = { id, revision }
      drafts.offer(design, pageLanguage.t('saved by someone else a moment ago'), () => undefined)
    } catch {
      // The next save meets the conflict again.
    }
  }

  function renderSoon(): void {
    clearTimeout(rendering)
    rendering = setTimeout(() => void renderBetween(), renderAfterMs)
  }

  /** As `renderNow`, without a long task: a large design takes a while. */
  async function renderBetween(): Promise<void> {
    const { document } = state.design
    if (document === null) return
    try {
      const body = await renderInSlices(document, () => state.design.document === document)
      if (body !== null) state.design.body = body
    } catch {
      // While a variable is half written, the HTML before it stays.
    }
  }

  /** Writes the HTML of the document; while a variable is half written, the one before stays. */
  function renderNow(): void {
    clearTimeout(rendering)
    const { document } = state.design
    if (document === null || isNewerDesign(document)) return
    try {
      state.design.body = renderHtml(document)
    } catch {
      // As above.
    }
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
    /** The HTML, with the latest changes of the blocks. */
    readBody: (): string => {
      renderNow()
      return state.design.body
    },
    /** Takes the changed blocks. */
    writeDocument: (document: DesignDocument): void => {
      state.design.document = documentOf(document)
      renderSoon()
      changed()
    },
    /** Blocks become the code that they give; code becomes one block, or the blocks that it was. */
    setMode: (mode: 'design' | 'html'): void => {
      renderNow()
      const { document, body } = state.design
      if (mode === 'html' && document !== null) {
        replaced = { document, body }
        state.design.document = null
      } else if (mode === 'design' && document === null) {
        state.design.document = documentOf(replaced?.body === body ? replaced.document : designOfHtml(body, randomId))
      } else return
      changed()
    },
    /** Shows a restored version. What was not saved is offered. */
    showRestored: (template: Template): void => {
      const { design, revision } = readDesign(template)
      const unsaved = isDirty() ? copyDesign(state.design) : null
      stored = { id: template.id, revision }
      saved = copyDesign(design)
      Object.assign(state, { design, isRestored: false })
      changed()
      if (unsaved !== null)
        drafts.offer(unsaved, pageLanguage.t('not saved before the version was restored'), () => undefined)
    },
    /** Id of the saved template; null before the first save. */
    savedId: () => stored?.id ?? null,
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
      clearTimeout(rendering)
      drafts.close()
    },
  }
}
