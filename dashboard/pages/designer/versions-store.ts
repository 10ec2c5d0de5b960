import { proxy, ref } from 'valtio/vanilla'
import { errorText, type Session } from '../../../client/core/http.ts'
import { getTemplateVersions, restoreTemplateVersion } from '../../../client/mail/template.ts'
import { templateList } from '../../../client/mail/template-list.ts'
import type { Template, TemplateVersion } from '../../../contract/mail/template.ts'

export interface VersionsState {
  status: 'loading' | 'ready' | 'failed'
  versions: readonly TemplateVersion[]
  error: string | null
  /** Revision that is being restored. */
  restoring: number | null
}

/** The versions of one template. `onRestored` gets the template with the content of the restored one. */
export function createVersionsStore(session: Session, id: string, onRestored: (template: Template) => void) {
  const state = proxy<VersionsState>({ status: 'loading', versions: [], error: null, restoring: null })

  async function load(): Promise<void> {
    Object.assign(state, { status: 'loading', error: null })
    try {
      const versions = await getTemplateVersions(session, id)
      Object.assign(state, { status: 'ready', versions: ref(versions) })
    } catch (error) {
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }
  void load()

  return {
    state,
    load,
    /** Returns whether it succeeded. */
    async restore(revision: number): Promise<boolean> {
      if (state.restoring !== null) return false
      Object.assign(state, { restoring: revision, error: null })
      try {
        const template = await restoreTemplateVersion(session, id, revision)
        templateList(session).put(template)
        onRestored(template)
        return true
      } catch (error) {
        state.error = errorText(error)
        return false
      } finally {
        state.restoring = null
      }
    },
  }
}
