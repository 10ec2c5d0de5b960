import { proxy } from 'valtio/vanilla'
import { createImport, listImports } from '../../../client/audience/import.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { digestFile, fileProblem, importFiles } from './upload/import-file.ts'

interface NewImportState {
  /** The file that is read before its upload. */
  reading: { name: string; size: number; readBytes: number } | null
  /** Why the file was not taken. */
  problem: string | null
  last: { status: 'loading' | 'ready' | 'failed'; items: Import[]; error: string | null }
}

/** The file of a new import, and the last imports. `onAnnounced` is given the id of the import. */
export function createNewImportStore(session: Session, onAnnounced: (id: string) => void) {
  const state = proxy<NewImportState>({
    reading: null,
    problem: null,
    last: { status: 'loading', items: [], error: null },
  })
  const aborter = new AbortController()
  const { signal } = aborter

  return {
    state,
    close: () => aborter.abort(),

    async loadLast(): Promise<void> {
      Object.assign(state.last, { status: 'loading', error: null })
      try {
        Object.assign(state.last, { status: 'ready', items: await listImports(session, { signal }) })
      } catch (error) {
        if (!isAbort(error)) Object.assign(state.last, { status: 'failed', error: errorText(error) })
      }
    },

    /** Announces a file; its upload belongs to the screen of the import. */
    async take(file: File): Promise<void> {
      if (state.reading !== null) return
      state.problem = fileProblem(file)
      if (state.problem !== null) return
      const { name, size } = file
      state.reading = { name, size, readBytes: 0 }
      try {
        const onRead = (readBytes: number) => (state.reading = { name, size, readBytes })
        const sha256 = await digestFile(file, onRead, signal)
        const { id } = await createImport(
          session,
          { file_name: name.slice(-255), size_bytes: size, sha256 },
          { signal },
        )
        importFiles(session).set(id, file)
        onAnnounced(id)
      } catch (error) {
        if (!isAbort(error)) state.problem = errorText(error)
      } finally {
        state.reading = null
      }
    },
  }
}

export type NewImportStore = ReturnType<typeof createNewImportStore>
