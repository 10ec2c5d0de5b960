import type { DraftVersion } from '../../contract/mail/draft.ts'
import { ApiError, type Session } from '../core/http.ts'
import { deleteDraft, getDraft, saveDraft } from './draft.ts'
import { transitions, type SyncEffect, type SyncEvent, type SyncState } from './draft-sync-machine.ts'

/** The copy of a draft in this browser: the fallback while the server does not answer. */
export interface LocalDraft<T> {
  content: T
  /** Revision on the server that it is based on; 0 for none. */
  revision: number
  /** Whether the server has this content. */
  isSaved: boolean
  /** Newest version of another browser that the user has seen and dismissed. */
  seenRevision: number
}

/** Storage of the local copy. `write` returns false if the browser has no room; null deletes the copy. */
export interface LocalDraftStorage<T> {
  read(): LocalDraft<T> | null
  write(draft: LocalDraft<T> | null): boolean
}

/**
 * `saved` on the server; `local` in this browser, with a save pending; `offline` the same, and the server could not be
 * reached; `too-large` in this browser only; `unkept` nowhere.
 */
export type DraftStatus = 'saved' | 'local' | 'offline' | 'too-large' | 'unkept'

interface Parts<T> {
  session: Session
  kind: string
  local: LocalDraftStorage<T>
  /**
   * The server has another draft than this browser, which has no unsaved content: show it. Returns false where something
   * was typed meanwhile; the draft is offered then.
   */
  onNewer: (content: T) => boolean
  /** A version of another browser that is not shown, and can be restored. */
  onOther: (version: DraftVersion & { content: T }) => void
  onStatus: (status: DraftStatus) => void
}

type Copy<T> = ReturnType<typeof createLocalCopy<T>>

/** Delay between the last edit and the save, and between retries. */
const saveAfterMs = 800
const firstRetryMs = 2000
const longestRetryMs = 30_000

/** Browsers limit requests that outlive their page to 64 KiB in total (Fetch, keepalive). */
const keepaliveMaxBytes = 48 * 1024

/**
 * Stores one draft in this browser at once and on the server soon after (draft-sync-machine.ts). The last save wins; the
 * version that it replaced is offered.
 */
export function createDraftSync<T>(parts: Parts<T>) {
  const { session, kind } = parts
  const copy = createLocalCopy(parts.local)
  let state: SyncState = 'idle'
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = firstRetryMs

  const isOpen = () => state !== 'closing' && state !== 'closed'
  const notify: Notify<T> = {
    onNewer: (content) => isOpen() && parts.onNewer(content),
    onOther(version) {
      if (version.revision > copy.seenRevision && isOpen()) parts.onOther(version)
    },
    onStatus: (status) => isOpen() && parts.onStatus(status),
  }
  const wait = (ms: number) => {
    timer = setTimeout(dispatch, ms, 'timer')
  }
  const effects: Readonly<Record<SyncEffect, () => void>> = {
    load: () => wait(0),
    debounce: () => wait(saveAfterMs),
    retry() {
      wait(retryMs)
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    },
    save() {
      synchronise(session, kind, copy, notify).then(
        () => {
          retryMs = firstRetryMs
          dispatch('saved')
        },
        (error: unknown) => {
          const isTooLarge = error instanceof ApiError && error.status === 413
          const isOffline = error instanceof ApiError && error.code === 'network' && copy.status() === 'local'
          notify.onStatus(isTooLarge ? 'too-large' : isOffline ? 'offline' : copy.status())
          dispatch(isTooLarge ? 'refused' : 'failed')
        },
      )
    },
  }

  function dispatch(event: SyncEvent): void {
    const transition = transitions[state][event]
    if (transition === undefined) return
    const [next, effect] = transition
    clearTimeout(timer)
    state = next
    if (effect) effects[effect]()
  }

  return {
    /** The content in this browser; null for none. */
    content: copy.content,
    /** Loads the server's draft. */
    start: () => dispatch('start'),
    /** Stores the content in this browser at once; null deletes the draft. */
    save(content: T | null) {
      copy.update({ content, isSaved: false })
      notify.onStatus(copy.status())
      dispatch('edit')
    },
    /** A version of another browser was restored or dismissed: it is not offered again. */
    seen(version: number) {
      copy.update({ seenRevision: Math.max(copy.seenRevision, version) })
    },
    /**
     * The page is being closed: sends unsaved content if it is small enough for a request that outlives the page. The local
     * copy is sent at the next visit in any case.
     */
    leave() {
      if (copy.isKnown && !copy.isSaved && (state === 'idle' || state === 'waiting')) saveOnLeave(session, kind, copy)
    },
    /** Ends the synchronisation, and saves unsaved content. */
    close() {
      dispatch(copy.isKnown && !copy.isSaved ? 'closeUnsaved' : 'close')
    },
  }
}

type Notify<T> = Readonly<Record<'onNewer', (content: T) => boolean>> & {
  onOther: (version: DraftVersion & { content: T }) => void
  onStatus: (status: DraftStatus) => void
}

function createLocalCopy<T>(storage: LocalDraftStorage<T>) {
  const stored = storage.read()
  let isStored = true
  const copy = {
    content: stored?.content ?? null,
    revision: 0,
    isSaved: true,
    seenRevision: 0,
    ...stored,
    /** Whether the server's draft has been loaded. */
    isKnown: false,
    update(change: Partial<LocalDraft<T | null>>) {
      const { content, revision, isSaved, seenRevision } = Object.assign(copy, change)
      isStored = storage.write(content === null ? null : { content, revision, isSaved, seenRevision })
    },
    status(): DraftStatus {
      if (copy.isSaved) return 'saved'
      return isStored ? 'local' : 'unkept'
    },
  }
  return copy
}

/** Loads the server's draft once, then saves or deletes unsaved content. */
async function synchronise<T>(session: Session, kind: string, copy: Copy<T>, notify: Notify<T>): Promise<void> {
  if (!copy.isKnown) await loadServerDraft(session, kind, copy, notify)
  if (copy.isSaved) return
  const { content, revision } = copy
  if (content === null) {
    await deleteDraft(session, kind, { revision })
    copy.update({ revision: 0, isSaved: copy.content === null })
  } else {
    const saved = await saveDraft(session, kind, { content, base_revision: revision })
    if (saved.replaced) notify.onOther(saved.replaced as DraftVersion & { content: T })
    copy.update({ revision: saved.revision, isSaved: copy.content === content })
  }
  notify.onStatus(copy.status())
}

async function loadServerDraft<T>(session: Session, kind: string, copy: Copy<T>, notify: Notify<T>): Promise<void> {
  const found = await getDraft(session, kind)
  copy.isKnown = true
  if (found === null) {
    copy.isSaved = copy.content === null
    copy.revision = 0
    return
  }
  const { revision } = found
  // The answer to this save was lost, for example because the page was closed.
  if (!copy.isSaved && JSON.stringify(found.content) === JSON.stringify(copy.content)) {
    copy.update({ isSaved: true, revision })
    notify.onStatus(copy.status())
  }
  let [other]: DraftVersion[] = found.replaced
  if (revision !== copy.revision && copy.isSaved) {
    const content = found.content as T
    copy.update({ content, revision })
    if (!notify.onNewer(content)) other = found
  }
  if (other && copy.isSaved) notify.onOther(other as DraftVersion & { content: T })
}

function saveOnLeave<T>(session: Session, kind: string, copy: Copy<T>): void {
  const { content } = copy
  if (content === null) return
  const change = { content, base_revision: copy.revision }
  if (new Blob([JSON.stringify(change)]).size > keepaliveMaxBytes) return
  saveDraft(session, kind, change, { keepalive: true }).then(
    ({ revision }) => copy.update({ revision, isSaved: copy.content === content }),
    () => undefined, // The local copy remains.
  )
}
