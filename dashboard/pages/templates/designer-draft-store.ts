import { deleteDraft, getDraft, saveDraft } from '../../../client/draft.ts'
import { ApiError, type Session } from '../../../client/http.ts'
import type { Design } from './design.ts'

/** Keeps what is being designed on the server, for this person and this template. */
export interface DesignerDraft {
  /** What was kept at an earlier time, or null. */
  read(): Promise<Design | null>
  /** Keeps a design once typing rests; null forgets it. */
  write(design: Design | null): void
  /** Keeps at once what is not kept yet. */
  close(): void
}

/** How long typing rests before the draft is kept, in ms, and how long after a failure it is tried again. */
const keepAfterMs = 600
const retryMs = 5000

/** A draft of its own for each template, and one for a new one (`designer:new`). */
export function createDesignerDraft(
  session: Session,
  name: string,
  onState: (state: 'kept' | 'unkept' | null) => void,
): DesignerDraft {
  const kind = `designer:${name}`
  let revision = 0
  /** What is to be kept next; undefined while all is. */
  let pending: Design | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay: Promise<void> = Promise.resolve()

  const hasNext = () => pending !== undefined

  async function keep(options: { keepalive?: boolean } = {}): Promise<void> {
    const content = pending
    if (content === undefined) return
    pending = undefined
    try {
      if (content === null) await deleteDraft(session, kind, {}, options)
      else ({ revision } = await saveDraft(session, kind, { content, base_revision: revision }, options))
      if (!hasNext()) onState(content === null ? null : 'kept')
    } catch {
      // It stays on the screen, and is tried again: the screen says that it is not kept.
      pending ??= content
      onState('unkept')
      timer = setTimeout(start, retryMs)
    }
  }

  /** One after the other, so that the last one typed is the last one kept. */
  function start(): void {
    clearTimeout(timer)
    underWay = underWay.then(() => keep())
  }

  /** A page that goes has no time to wait; bodies above 64 kB are not taken by the browser then. */
  const keepNow = () => void keep({ keepalive: true })
  window.addEventListener('pagehide', keepNow)

  return {
    async read() {
      try {
        const found = await getDraft(session, kind)
        revision = found.revision
        return asDesign(found.content)
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        onState('unkept') // Drafts are out of reach; designing goes on.
        return null
      }
    },
    write(design) {
      pending = design
      clearTimeout(timer)
      onState(design === null ? null : 'unkept')
      timer = setTimeout(start, design === null ? 0 : keepAfterMs)
    },
    close() {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keepNow)
      underWay = underWay.then(() => keep())
    },
  }
}

function asDesign(content: unknown): Design | null {
  const { subject, body, tags } = (content ?? {}) as Record<string, unknown>
  if (typeof subject !== 'string' || typeof body !== 'string' || !Array.isArray(tags)) return null
  return { subject, body, tags: tags.filter((tag) => typeof tag === 'string') }
}
