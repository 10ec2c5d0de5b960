import { createDraftSync, type DraftStatus, type LocalDraftStorage } from '../../../client/mail/draft-sync.ts'
import type { Session } from '../../../client/core/http.ts'
import { documentOf, type Design } from './design.ts'

/** Saves the design as a draft, in this browser at once and on the server soon after. */
export interface DesignerDraft {
  /** The draft stored in this browser, or null. */
  readonly content: Design | null
  /** Saves a design after a pause in typing; null deletes the draft. */
  write(design: Design | null): void
  /** Saves pending changes at once. */
  keep(): void
  /** Saves pending changes and ends. */
  close(): void
}

/** A version that another window or machine wrote. */
export interface OtherDesign {
  design: Design
  /** ISO 8601. */
  savedAt: string
  /** It was opened or dismissed: it is not offered again. */
  onSeen: () => void
}

export interface DesignerDraftParts {
  session: Session
  /** Id of the template, or `new`. */
  name: string
  local: LocalDraftStorage<Design>
  /** The server has another draft than this browser, which has nothing unsaved. Returns false if it was not shown. */
  onNewer: (design: Design) => boolean
  onOther: (other: OtherDesign) => void
  onStatus: (status: DraftStatus) => void
}

/** Pause in typing before the draft is stored in this browser, in ms. */
const keepAfterMs = 300

/** A draft of its own for each template, and one for a new one (`designer:new`). */
export function createDesignerDraft({ session, name, local, ...listeners }: DesignerDraftParts): DesignerDraft {
  const sync = createDraftSync<Design>({
    session,
    kind: `designer:${name}`,
    local,
    onNewer(content) {
      const design = asDesign(content)
      return design === null || (pending === undefined && listeners.onNewer(design))
    },
    onOther({ content, revision, updated_at: savedAt }) {
      const design = asDesign(content)
      if (design !== null) listeners.onOther({ design, savedAt, onSeen: () => sync.seen(revision) })
    },
    onStatus: listeners.onStatus,
  })
  /** The pending design; undefined when everything is saved. */
  let pending: Design | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  sync.start()

  function keep(): void {
    clearTimeout(timer)
    if (pending !== undefined) sync.save(pending && draftOf(pending))
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

/** A template without blocks is stored as it always was. */
function draftOf({ document, ...texts }: Design): Design {
  return (document === null ? texts : { ...texts, document }) as Design
}

function asDesign(content: unknown): Design | null {
  const { name, subject, body, document, tags } = (content ?? {}) as Record<string, unknown>
  if (typeof subject !== 'string' || typeof body !== 'string' || !Array.isArray(tags)) return null
  const texts = { name: typeof name === 'string' ? name : '', subject, body, document: documentOf(document) }
  return { ...texts, tags: tags.filter((tag) => typeof tag === 'string') }
}
