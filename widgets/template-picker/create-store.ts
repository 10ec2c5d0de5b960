import { proxy } from 'valtio/vanilla'
import { errorText, type Session } from '../../client/core/http.ts'
import { createTemplateOnce } from '../../client/mail/new-template.ts'
import { templateList } from '../../client/mail/template-list.ts'
import type { TemplateDraft } from './template-picker-store.ts'
import type { Notify } from '../lib/notify.ts'
import type { createProblems } from '../lib/template-messages.ts'
import { createFailed, templateCreated } from '../lib/template-messages.ts'

export type CreateField = keyof typeof createProblems

/** What the dialog's view reads. Problems show once the dialog was submitted. */
export interface CreateState {
  status: 'editing' | 'saving' | 'failed'
  subject: string
  body: string
  /** Comma-separated. */
  tags: string
  shownProblems: CreateField[]
  /** Why saving failed. */
  error: string | null
}

/** State and actions of one create-template dialog. */
export function createCreateStore(
  { session, notify }: { session: Session; notify: Notify },
  { subject, body, design = null, words = '', preheader = '' }: TemplateDraft,
) {
  const state = proxy<CreateState>({
    status: 'editing',
    subject,
    body: design === null ? body : words,
    tags: tagsUsed(subject + preheader + body).join(', '),
    shownProblems: [],
    error: null,
  })
  return {
    state,
    /** The body shows the words of a design, which becomes the template's. */
    isDesign: design !== null,
    write(field: CreateField, value: string) {
      state[field] = value
      if (state.status === 'failed') state.status = 'editing'
    },
    /** Saves the template; returns whether it succeeded. Input is kept after a failure. */
    async submit(): Promise<boolean> {
      if (state.status === 'saving') return false
      state.shownProblems = problemsOf(state)
      if (state.shownProblems.length > 0) return false
      const { subject, body } = state
      const content = design === null ? { body } : { design }
      Object.assign(state, { status: 'saving', error: null })
      try {
        const created = await createTemplateOnce(session, {
          subject: subject.trim(),
          ...content,
          ...(preheader !== '' && { preheader }),
          context: splitTags(state.tags),
        })
        templateList(session).put(created)
        notify({ kind: 'success', text: templateCreated })
        return true
      } catch (error) {
        Object.assign(state, { status: 'failed', error: errorText(error) })
        notify({ kind: 'error', text: createFailed })
        return false
      }
    },
  }
}

/** Fields without which no template is made, in their order (spec §5). */
export function problemsOf({ subject, body, tags }: Readonly<Pick<CreateState, CreateField>>): CreateField[] {
  const isMissing = { subject: subject.trim() === '', body: body.trim() === '', tags: splitTags(tags).length === 0 }
  return (Object.keys(isMissing) as CreateField[]).filter((field) => isMissing[field])
}

function splitTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}

/** Names of the merge variables that a draft uses: what its tags will be, most likely. */
function tagsUsed(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{\{?&?\s*([\p{L}_][\p{L}\p{N}_.-]*)/gu)].map(([, name]) => name ?? ''))]
}
