import type { Session } from '../../../client/core/http.ts'
import type { DraftStatus } from '../../../client/mail/draft-sync.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
import { changeLocalDraft } from '../templates/local-drafts.ts'
import { copyDesign, isSameDesign, type Design } from './design.ts'
import {
  createDesignerDraft,
  type DesignerDraft,
  type DesignerDraftParts,
  type OtherDesign,
} from './designer-draft-store.ts'
import type { DesignerState } from './designer-state.ts'

interface DesignerDraftsParts {
  session: Session
  state: DesignerState
  templateId: string | null
  /** Returns the local storage of a template's draft. */
  localDraft: (name: string) => DesignerDraftParts['local']
  /** The saved design, or the initial one. */
  saved: () => Design
  /** An offered version was taken into the state. */
  onTaken: () => void
}

const storedAs: Readonly<Record<DraftStatus, DesignerState['draft']>> = {
  saved: 'kept',
  local: 'local',
  offline: 'local',
  'too-large': 'local',
  unkept: 'unkept',
}

/** Stores the unsaved design of a designer, restores it at the next visit, and offers versions of other windows. */
export function createDesignerDrafts({ session, state, templateId, localDraft, saved, onTaken }: DesignerDraftsParts) {
  let draft: DesignerDraft | null = null
  const isDirty = () => !isSameDesign(state.design, saved())
  const writeIf = (isChanged: boolean) => draft?.write(isChanged ? copyDesign(state.design) : null)

  /** Shows a draft of an earlier visit; returns false if there are newer changes. */
  function restore(design: Design): boolean {
    if (isSameDesign(design, saved())) return true
    if (isDirty() && !state.isRestored) return false
    Object.assign(state, { design, isRestored: true, draft: 'kept' })
    return true
  }

  /** Offers a conflicting version. Taking it offers the current version in turn. */
  function offer(design: Design, description: string, onSeen: () => void): void {
    const done = () => {
      state.other = null
      onSeen()
    }
    if (isSameDesign(design, state.design)) {
      onSeen()
      return
    }
    state.other = {
      description,
      dismiss: done,
      take() {
        const current = copyDesign(state.design)
        done()
        state.design = design
        onTaken()
        offer(current, pageLanguage.t('replaced a moment ago'), () => undefined)
      },
    }
  }

  function offerOther({ design, savedAt, onSeen }: OtherDesign): void {
    const time = new Date(savedAt).toLocaleTimeString(pageLanguage.t.lang, { timeStyle: 'short' })
    offer(design, pageLanguage.t('saved elsewhere at {time}', { time }), onSeen)
  }

  function storeCopy(id: string): void {
    const { name, subject, body, document: design, tags } = state.design
    try {
      changeLocalDraft(id, { name, subject, body, design, context: [...tags] })
      state.draft = 'kept'
    } catch {
      state.draft = 'unkept' // Local storage is full; the page holds it until it is saved.
    }
  }

  return {
    /** Restores the draft of the template. */
    open(): void {
      draft = createDesignerDraft({
        session,
        name: templateId ?? 'new',
        local: localDraft(templateId ?? 'new'),
        onNewer: restore,
        onOther: offerOther,
        onStatus: (status) => {
          if (isDirty()) state.draft = storedAs[status]
        },
      })
      if (draft.content !== null) restore(draft.content)
    },
    /** Stores the changed design; without changes deletes the draft. */
    store(): void {
      if (state.mode === 'copy' && templateId !== null) {
        storeCopy(templateId)
        return
      }
      const isChanged = isDirty()
      state.draft = isChanged ? 'unkept' : null
      writeIf(isChanged)
    },
    /** Writes the draft of a design that was saved while it was edited; deletes it without changes. */
    write: () => writeIf(isDirty()),
    /** Stores the draft at once. */
    keep: () => draft?.keep(),
    close: () => draft?.close(),
    offer,
  }
}
