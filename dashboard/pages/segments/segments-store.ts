import { proxy, ref } from 'valtio/vanilla'
import { deleteSegment, listSegments } from '../../../client/audience/segment.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { logFailure } from '../../../client/core/log-failure.ts'
import type { Segment } from '../../../contract/audience/segment.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { duplicateSegment } from './duplicate-segment.ts'

export interface SegmentsState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  /** By name. Replaced whole, never changed in place. */
  items: readonly Segment[]
  search: string
  /** The segment whose deletion is asked about. */
  asked: Segment | null
  isDeleting: boolean
  /** The segments that are being duplicated. */
  duplicating: string[]
  /** Why the deletion failed. */
  problem: string | null
}

/** State and actions of the segments screen. */
export function createSegmentsStore(session: Session, notify: Notify) {
  const state = proxy<SegmentsState>({
    status: 'loading',
    error: null,
    items: ref([]),
    search: '',
    asked: null,
    isDeleting: false,
    duplicating: [],
    problem: null,
  })
  let loading = new AbortController()

  async function load(): Promise<void> {
    loading.abort()
    const { signal } = (loading = new AbortController())
    if (state.items.length === 0) state.status = 'loading'
    try {
      Object.assign(state, { items: ref(await listSegments(session, { signal })), status: 'ready', error: null })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  const show = (items: readonly Segment[]) => {
    state.items = ref([...items].sort((a, b) => a.name.localeCompare(b.name)))
  }

  return {
    state,
    load,
    /** Loads the segments; returns the undo. */
    start() {
      void load()
      return () => loading.abort()
    },
    search(text: string) {
      state.search = text
    },
    ask(segment: Segment | null) {
      Object.assign(state, { asked: segment && ref(segment), problem: null })
    },
    /** Creates a second segment with the same rule. */
    async duplicate(segment: Segment): Promise<void> {
      if (state.duplicating.includes(segment.id)) return
      state.duplicating.push(segment.id)
      try {
        const copy = await duplicateSegment(session, segment)
        show([...state.items, copy])
        notify({ kind: 'success', text: pageLanguage.t('“{name}” created', { name: copy.name }) })
      } catch (error) {
        notify({ kind: 'error', text: errorText(error) ?? '' })
      } finally {
        state.duplicating = state.duplicating.filter((id) => id !== segment.id)
      }
    },
    /** Deletes the segment that was asked about. Returns whether it worked; a failure is shown in the dialog. */
    async delete(): Promise<boolean> {
      const { asked } = state
      if (asked === null || state.isDeleting) return false
      Object.assign(state, { isDeleting: true, problem: null })
      try {
        await deleteSegment(session, asked.id)
        show(state.items.filter(({ id }) => id !== asked.id))
        notify({ kind: 'success', text: pageLanguage.t('Segment deleted') })
        return true
      } catch (error) {
        logFailure('deleting the segment', error)
        state.problem = errorText(error)
        return false
      } finally {
        state.isDeleting = false
      }
    },
  }
}

export type SegmentsStore = ReturnType<typeof createSegmentsStore>
