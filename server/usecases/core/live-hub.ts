/** The changes of one workspace, for one stream. */
export interface LiveChanges {
  /** Resolves after the next change, at once if there was one since the last call, and at the latest after so long. */
  next: (atMostMs: number) => Promise<void>
  close: () => void
}

interface Watch {
  hasChanged: boolean
  wake: (() => void) | null
}

/** Passes changes of workspaces on to the open streams of a process. `listen` is called with the first stream. */
export function createLiveHub(listen: (onWorkspace: (workspaceId: string | null) => void) => void) {
  const watches = new Map<string, Set<Watch>>()
  let isListening = false
  let isClosed = false

  const note = (watch: Watch) => {
    watch.hasChanged = true
    watch.wake?.()
  }
  /** Null: changes may have been missed. */
  const onWorkspace = (workspaceId: string | null) => {
    const found = workspaceId === null ? [...watches.values()] : [watches.get(workspaceId) ?? []]
    for (const some of found) for (const watch of some) note(watch)
  }

  return {
    watch(workspaceId: string): LiveChanges {
      if (!isListening) listen(onWorkspace)
      isListening = true
      const own: Watch = { hasChanged: false, wake: null }
      const some = watches.get(workspaceId) ?? new Set()
      watches.set(workspaceId, some.add(own))
      return {
        async next(atMostMs) {
          if (!own.hasChanged && !isClosed) {
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, atMostMs)
              own.wake = () => {
                clearTimeout(timer)
                resolve()
              }
            })
          }
          own.wake = null
          own.hasChanged = false
        },
        close() {
          some.delete(own)
          if (some.size === 0) watches.delete(workspaceId)
        },
      }
    },

    /** Wakes all streams, so that they end: the server stops. */
    close() {
      isClosed = true
      onWorkspace(null)
    },
  }
}
