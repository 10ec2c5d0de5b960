import type { DraftVersion } from '../../contract/mail/draft.ts'
import { deleteDraft, getDraft, saveDraft } from './draft.ts'
import { ApiError, type Session } from '../core/http.ts'

/** The copy of a draft in this browser: the fallback while the server does not answer. */
export interface LocalDraft<T> {
  content: T
  /** Revision on the server that it was written on; 0 for none. */
  revision: number
  /** Whether the server has it as it stands. */
  isSaved: boolean
  /** Newest version of elsewhere that the person has seen and put away. */
  seenRevision: number
}

/** Where the local copy lives. `write` says whether it could be kept; null forgets it. */
export interface LocalDraftStorage<T> {
  read(): LocalDraft<T> | null
  write(draft: LocalDraft<T> | null): boolean
}

/** `saved` on the server; `local` in this browser, and on its way; `too-large` in this browser only; `unkept` nowhere. */
export type DraftStatus = 'saved' | 'local' | 'too-large' | 'unkept'

interface Parts<T> {
  session: Session
  kind: string
  local: LocalDraftStorage<T>
  /** The server has another draft than this browser, which holds nothing unsaved: it is to be shown. */
  onNewer: (content: T) => void
  /** A version of elsewhere that is not the one shown; it can be had back. */
  onOther: (version: DraftVersion & { content: T }) => void
  onStatus: (status: DraftStatus) => void
}

/** How long typing rests before the draft goes to the server, and between tries of a server that fails. */
const saveAfterMs = 800
const firstRetryMs = 2000
const longestRetryMs = 30_000

/** What a browser lets outlive its page is 64 KiB at most (Fetch, keepalive), all such calls together. */
const keepaliveMaxBytes = 48 * 1024

/** Keeps one draft here at once and on the server soon after. The last save wins; what it replaced is offered. */
export function createDraftSync<T>({ session, kind, local, onNewer, onOther, onStatus }: Parts<T>) {
  const first = local.read()
  let revision = first?.revision ?? 0
  let seenRevision = first?.seenRevision ?? 0
  let isSaved = first?.isSaved ?? true
  let content: T | null = first?.content ?? null
  let isKeptHere = true
  let isKnown = false
  let underWay: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = firstRetryMs
  let isClosed = false

  const keepHere = () => {
    isKeptHere = local.write(content === null ? null : { content, revision, isSaved, seenRevision })
  }
  const tell = () => {
    if (!isClosed) onStatus(isSaved ? 'saved' : isKeptHere ? 'local' : 'unkept')
  }
  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(sync, ms)
  }

  /** One after the other; what was typed meanwhile goes next. */
  function sync(): void {
    underWay ??= work()
      .then(
        () => {
          retryMs = firstRetryMs
          if (!isSaved) schedule(saveAfterMs)
        },
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 413) {
            if (!isClosed) onStatus('too-large')
            return
          }
          tell()
          schedule(retryMs)
          retryMs = Math.min(retryMs * 2, longestRetryMs)
        },
      )
      .then(() => void (underWay = null))
  }

  async function work(): Promise<void> {
    if (!isKnown) await meet()
    if (isSaved) return
    const sent = content
    if (sent === null) {
      await deleteDraft(session, kind, { revision })
      revision = 0
    } else {
      const saved = await saveDraft(session, kind, { content: sent, base_revision: revision })
      revision = saved.revision
      offer(saved.replaced)
    }
    isSaved = content === sent
    keepHere()
    tell()
  }

  /** Learns what the server has. */
  async function meet(): Promise<void> {
    const found = await getDraft(session, kind)
    isKnown = true
    if (found === null) {
      isSaved = content === null
      revision = 0
      return
    }
    // A save whose answer was lost, as when the page was closed meanwhile.
    if (!isSaved && JSON.stringify(found.content) === JSON.stringify(content)) {
      isSaved = true
      revision = found.revision
      keepHere()
      tell()
    }
    if (found.revision !== revision && isSaved) {
      content = found.content as T
      revision = found.revision
      keepHere()
      if (!isClosed) onNewer(content)
    }
    const [other] = found.replaced
    if (other && isSaved) offer(other)
  }

  function offer(version: DraftVersion | null): void {
    if (version && version.revision > seenRevision && !isClosed) onOther(version as DraftVersion & { content: T })
  }

  return {
    /** What this browser has; null for nothing. */
    content,
    /** Asks the server what it has. */
    start: () => schedule(0),
    /** Keeps it here at once; null where nothing is written any more. */
    save(next: T | null) {
      content = next
      isSaved = false
      keepHere()
      tell()
      schedule(saveAfterMs)
    },
    /** A version of elsewhere was looked at, or put away: it is not offered again. */
    seen(version: number) {
      seenRevision = Math.max(seenRevision, version)
      keepHere()
    },
    /**
     * The page goes: what still waits is handed on if it is small enough to outlive it. It is kept here in any case, and
     * handed on at the next visit.
     */
    leave() {
      if (isSaved || !isKnown || content === null || underWay !== null) return
      const sent = content
      const change = { content: sent, base_revision: revision }
      if (new Blob([JSON.stringify(change)]).size > keepaliveMaxBytes) return
      saveDraft(session, kind, change, { keepalive: true }).then(
        (saved) => {
          revision = saved.revision
          isSaved = content === sent
          keepHere()
        },
        () => undefined, // It is kept here.
      )
    },
    /** Hands on at once what still waits. */
    close() {
      isClosed = true
      clearTimeout(timer)
      if (isKnown && !isSaved) sync()
    },
  }
}
