import { proxy } from 'valtio/vanilla'
import type { DraftStatus } from '../../../client/mail/draft-sync.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import { templateList } from '../../../client/mail/template-list.ts'
import { createTemplateOnce } from '../../../client/mail/new-template.ts'
import { getEmailTemplate, updateEmailTemplate } from '../../../client/mail/template.ts'
import { savedRedirectMs } from '../../../contract/core/limits.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { createFailed, updateFailed } from '../../../widgets/lib/template-messages.ts'
import { readTemplate } from '../../../widgets/lib/template-record.ts'
import type { Design, DesignerField } from './design.ts'
import { createDesignerDraft, type DesignerDraft, type DesignerDraftParts } from './designer-draft-store.ts'
import { changeLocalDraft, findLocalDraft, removeLocalDraft } from '../templates/local-drafts.ts'

/** What the view reads. */
export interface DesignerState {
  /** Whether what is to be edited is here. */
  phase: 'loading' | 'ready' | 'failed'
  error: string | null
  /** `copy`: new from global, kept in this browser until it is saved. */
  mode: 'create' | 'edit' | 'copy'
  design: Design
  /** What stands in the tags box and is no tag yet. */
  tagEntry: string
  /** Values to look at a copy of a global template with. */
  sample: Record<string, string>
  status: 'idle' | 'saving' | 'saved' | 'failed'
  shownProblems: DesignerField[]
  saveError: string | null
  /** Where the draft is kept: `local` in this browser alone; null while there is nothing to keep. */
  draft: 'kept' | 'local' | 'unkept' | null
  /** Whether what is shown is a draft of an earlier visit. */
  isRestored: boolean
  /** Another version of the draft; null without one. */
  other: { at: string; take: () => void; dismiss: () => void } | null
}

export interface DesignerDeps {
  session: Session
  notify: Notify
  userId: string
  /** Where this browser keeps the draft of a template. */
  localDraft: (name: string) => DesignerDraftParts['local']
  /** What the navigation state names; null makes a new template. */
  templateId: string | null
  /** A new template is saved, and nothing was changed since. */
  onCreated: () => void
}

export type DesignerStore = ReturnType<typeof createDesignerStore>

const placeOf: Readonly<Record<DraftStatus, DesignerState['draft']>> = {
  saved: 'kept',
  local: 'local',
  'too-large': 'local',
  unkept: 'unkept',
}

/** State and actions of the designer. `close` keeps what is not kept yet, and ends its timers. */
export function createDesignerStore({ session, notify, userId, localDraft, templateId, onCreated }: DesignerDeps) {
  const copy = templateId === null ? null : findLocalDraft(userId, templateId)
  const state = proxy<DesignerState>({
    phase: templateId === null || copy !== null ? 'ready' : 'loading',
    error: null,
    mode: copy !== null ? 'copy' : templateId === null ? 'create' : 'edit',
    design: copy
      ? { name: copy.name ?? '', subject: copy.subject, body: copy.body, tags: [...copy.context] }
      : emptyDesign(),
    tagEntry: '',
    sample: copy ? { ...copy.sample } : {},
    status: 'idle',
    shownProblems: [],
    saveError: null,
    draft: null,
    isRestored: false,
    other: null,
  })
  /** Id of what 'Update' changes. */
  let savedId = state.mode === 'edit' ? templateId : null
  /** What is on the server, or stood there at first. */
  let saved = JSON.stringify(state.design)
  let draft: DesignerDraft | null = null
  let redirect: ReturnType<typeof setTimeout> | undefined
  void open()

  async function open(): Promise<void> {
    if (state.mode === 'copy') return
    try {
      if (templateId !== null) await loadTemplate(templateId)
      const name = templateId ?? 'new'
      draft = createDesignerDraft({
        session,
        name,
        local: localDraft(name),
        onNewer: restore,
        onOther: ({ design, savedAt, onSeen }) => {
          const time = new Date(savedAt).toLocaleTimeString([], { timeStyle: 'short' })
          offer(design, `saved elsewhere at ${time}`, onSeen)
        },
        onStatus: (status) => {
          if (isDirty()) state.draft = placeOf[status]
        },
      })
      if (draft.content !== null) restore(draft.content)
      state.phase = 'ready'
    } catch (error) {
      Object.assign(state, { phase: 'failed', error: errorText(error) })
    }
  }

  /** Shows a draft of an earlier visit. What was typed while it was on its way is newer. */
  function restore(kept: Design): void {
    if (JSON.stringify(kept) === saved || (isDirty() && !state.isRestored)) return
    Object.assign(state, { design: kept, isRestored: true, draft: 'kept' })
  }

  /** Another version beside the one that is shown; taking it offers that one in turn. */
  function offer(design: Design, at: string, onSeen: () => void): void {
    const done = () => {
      state.other = null
      onSeen()
    }
    if (JSON.stringify(design) === JSON.stringify(state.design)) {
      onSeen()
      return
    }
    state.other = {
      at,
      dismiss: done,
      take() {
        const mine = plain(state.design)
        done()
        state.design = design
        changed()
        offer(mine, 'replaced a moment ago', () => undefined)
      },
    }
  }

  async function loadTemplate(id: string): Promise<void> {
    const template = await getEmailTemplate(session, id)
    const { subject, body, context } = readTemplate(template, 'own')
    const { name, is_public: isPublic } = template
    state.design = { name, subject, body, tags: context, ...(isPublic !== undefined && { isPublic }) }
    saved = JSON.stringify(state.design)
  }

  function isDirty(): boolean {
    return JSON.stringify(state.design) !== saved
  }

  function changed(): void {
    clearTimeout(redirect)
    redirect = undefined
    if (state.status !== 'saving') Object.assign(state, { status: 'idle', saveError: null })
    if (state.mode === 'copy' && templateId !== null) keepCopy(templateId)
    else if (isDirty()) {
      state.draft = 'unkept'
      draft?.write(plain(state.design))
    } else {
      state.draft = null
      draft?.write(null)
    }
  }

  function keepCopy(id: string): void {
    const { name, subject, body, tags } = state.design
    try {
      changeLocalDraft(id, { name, subject, body, context: [...tags] })
      state.draft = 'kept'
    } catch {
      state.draft = 'unkept' // The browser keeps no more; it stands here until it is saved.
    }
  }

  function addTags(text: string): void {
    const tags = text.split(',').map((tag) => tag.trim())
    const next = [...new Set([...state.design.tags, ...tags])].filter((tag) => tag !== '')
    if (next.length === state.design.tags.length) return
    state.design.tags = next
    changed()
  }

  function problems(): DesignerField[] {
    return (['subject', 'body'] as const).filter((field) => state.design[field].trim() === '')
  }

  async function send(design: Design): Promise<void> {
    const { name, subject, body, tags: context, isPublic } = design
    const named = savedId !== null || name.trim() !== ''
    const texts = {
      ...(named && { name }),
      subject,
      body,
      context,
      ...(isPublic !== undefined && { is_public: isPublic }),
    }
    const known = templateList(session)
    if (savedId !== null) known.put(await updateEmailTemplate(session, savedId, texts))
    else {
      const created = await createTemplateOnce(session, texts)
      if (state.mode === 'copy' && templateId !== null) removeLocalDraft(templateId)
      savedId = created.id
      known.put(created)
    }
  }

  return {
    state,
    isDirty,
    problems,
    reload: open,
    write(field: DesignerField, value: string) {
      state.design[field] = value
      changed()
    },
    /** Shows it to everybody in the pages that show a template picker, or no longer; once it is saved. */
    setPublic(isPublic: boolean) {
      state.design.isPublic = isPublic
      changed()
    },
    typeTag(text: string) {
      state.tagEntry = text
    },
    /** Makes tags of what stands in the box: trimmed, each once. */
    addEntry() {
      const entry = state.tagEntry
      state.tagEntry = ''
      addTags(entry)
    },
    addTags,
    removeTag(tag: string) {
      state.design.tags = state.design.tags.filter((one) => one !== tag)
      changed()
    },
    /** Back to what is saved; the draft is forgotten. */
    discard() {
      state.design = JSON.parse(saved) as Design
      state.isRestored = false
      changed()
    },
    /** Saves, or says what is missing. */
    async save(): Promise<void> {
      if (state.status === 'saving') return
      this.addEntry()
      state.shownProblems = problems()
      if (state.shownProblems.length > 0) return
      const isNew = savedId === null
      const design = plain(state.design)
      Object.assign(state, { status: 'saving', saveError: null })
      try {
        await send(design)
      } catch (error) {
        Object.assign(state, { status: 'failed', saveError: errorText(error) })
        notify({ kind: 'error', text: isNew ? createFailed : updateFailed })
        return
      }
      saved = JSON.stringify(design)
      Object.assign(state, { mode: 'edit', isRestored: false })
      draft?.write(isDirty() ? plain(state.design) : null)
      if (isDirty()) {
        state.status = 'idle' // Typed on while it was saved: not everything is.
        return
      }
      Object.assign(state, { status: 'saved', draft: null })
      if (isNew) redirect = setTimeout(onCreated, savedRedirectMs)
    },
    /** Keeps the draft at once, without waiting for typing to rest. */
    keep: () => draft?.keep(),
    close() {
      clearTimeout(redirect)
      draft?.close()
    },
  }
}

function emptyDesign(): Design {
  return { name: '', subject: '', body: '', tags: [] }
}

function plain({ name, subject, body, tags, isPublic }: Design): Design {
  return { name, subject, body, tags: [...tags], ...(isPublic !== undefined && { isPublic }) }
}
