import type { LocalDraft } from '../templates/local-drafts.ts'
import { documentOf, emptyDesign, type Design, type DesignerField } from './design.ts'

/** State of the designer. */
export interface DesignerState {
  /** Whether the template is loaded. */
  phase: 'loading' | 'ready' | 'failed'
  error: string | null
  /** `copy`: new from global, stored in this browser until it is saved. */
  mode: 'create' | 'edit' | 'copy'
  design: Design
  /** Text of the tags input that is not a tag yet. */
  tagEntry: string
  /** Sample values for the preview of a copy of a global template. */
  sample: Record<string, string>
  status: 'idle' | 'saving' | 'saved' | 'failed'
  shownProblems: DesignerField[]
  saveError: string | null
  /** Where the draft is stored: `local` in this browser only; null without unsaved changes. */
  draft: 'kept' | 'local' | 'unkept' | null
  /** Whether the design is a draft of an earlier visit. */
  isRestored: boolean
  /** A conflicting version of the draft; null without one. */
  other: { description: string; take: () => void; dismiss: () => void } | null
}

/** Returns the state before the template is loaded. `copy` is the local copy of a global template. */
export function initialState(templateId: string | null, copy: LocalDraft | null): DesignerState {
  return {
    phase: templateId === null || copy !== null ? 'ready' : 'loading',
    error: null,
    mode: copy !== null ? 'copy' : templateId === null ? 'create' : 'edit',
    design: copy
      ? {
          ...{ name: copy.name ?? '', subject: copy.subject, body: copy.body, tags: [...copy.context] },
          document: documentOf(copy.design),
        }
      : emptyDesign(),
    tagEntry: '',
    sample: copy ? { ...copy.sample } : {},
    status: 'idle',
    shownProblems: [],
    saveError: null,
    draft: null,
    isRestored: false,
    other: null,
  }
}
