import { createDraftSync, type DraftStatus, type LocalDraftStorage } from '../../../client/mail/draft-sync.ts'
import type { Session } from '../../../client/core/http.ts'
import type { Design } from './design.ts'

/** Keeps what is being designed, in this browser at once and on the server soon after. */
export interface DesignerDraft {
  /** What was kept in this browser at an earlier time, or null. */
  readonly content: Design | null
  /** Keeps a design once typing rests; null forgets it. */
  write(design: Design | null): void
  /** Keeps at once what is not kept yet. */
  keep(): void
  /** As `keep`, and ends. */
  close(): void
}

/** A version that another window or machine wrote. */
export interface OtherDesign {
  design: Design
  /** ISO 8601. */
  savedAt: string
  /** It was looked at, or put away: it is not offered again. */
  onSeen: () => void
}

export interface DesignerDraftParts {
  session: Session
  /** Id of the template, or `new`. */
  name: string
  local: LocalDraftStorage<Design>
  /** The server has another draft than this browser, which holds nothing of its own. */
  onNewer: (design: Design) => void
  onOther: (other: OtherDesign) => void
  onStatus: (status: DraftStatus) => void
}

/** How long typing rests before the draft is kept in this browser, in ms. */
const keepAfterMs = 300

/** A draft of its own for each template, and one for a new one (`designer:new`). */
export function createDesignerDraft({ session, name, local, ...told }: DesignerDraftParts): DesignerDraft {
  const sync = createDraftSync<Design>({
    session,
    kind: `designer:${name}`,
    local,
    onNewer(content) {
      const design = asDesign(content)
      if (design !== null && pending === undefined) told.onNewer(design)
    },
    onOther({ content, revision, updated_at: savedAt }) {
      const design = asDesign(content)
      if (design !== null) told.onOther({ design, savedAt, onSeen: () => sync.seen(revision) })
    },
    onStatus: told.onStatus,
  })
  /** What is to be kept next; undefined while all is. */
  let pending: Design | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  sync.start()

  function keep(): void {
    clearTimeout(timer)
    if (pending !== undefined) sync.save(pending)
    pending = undefined
  }
  const onPageHide = () => {
    keep()
    sync.leave()
  }
  window.addEventListener('pagehide', onPageHide)

  return {
    content: asDesign(sync.content),
    write(design) {
      pending = design
      clearTimeout(timer)
      timer = setTimeout(keep, design === null ? 0 : keepAfterMs)
    },
    keep,
    close() {
      keep()
      sync.close()
      window.removeEventListener('pagehide', onPageHide)
    },
  }
}

function asDesign(content: unknown): Design | null {
  const { name, subject, body, tags } = (content ?? {}) as Record<string, unknown>
  if (typeof subject !== 'string' || typeof body !== 'string' || !Array.isArray(tags)) return null
  const texts = { name: typeof name === 'string' ? name : '', subject, body }
  return { ...texts, tags: tags.filter((tag) => typeof tag === 'string') }
}
