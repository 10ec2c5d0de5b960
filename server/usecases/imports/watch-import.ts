import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../domain/auth/scope.ts'
import type { createImportService, ImportDetail } from './import-service.ts'

interface Ports {
  getImport: ReturnType<typeof createImportService>['getImport']
  tickMs: () => number
}

const pollMs = 500
/** Lifetime of a stream; clients reconnect. */
const lifeMs = 15 * 60_000
const movingStates: ReadonlySet<string> = new Set(['checking', 'running', 'undoing'])

/** Streams the progress of imports. */
export function createWatchImport({ getImport, tickMs }: Ports) {
  const closing = new AbortController()
  return {
    /** The import now and after each change, until its state stays. Throws `import_not_found` before the first. */
    watchImport: async (scope: Scope, id: string): Promise<AsyncGenerator<ImportDetail>> =>
      watch(scope, id, await getImport(scope, id)),

    /** Ends all streams: the server stops. */
    close: () => closing.abort(),
  }

  async function* watch(scope: Scope, id: string, first: ImportDetail): AsyncGenerator<ImportDetail> {
    yield first
    const endsAtMs = tickMs() + lifeMs
    for (let last = first; movingStates.has(last.state) && tickMs() < endsAtMs;) {
      await sleep(pollMs, undefined, { signal: closing.signal }).catch(() => undefined) // Rejects when the server stops.
      if (closing.signal.aborted) return
      const now = await getImport(scope, id)
      if (now.state !== last.state || now.byteOffset !== last.byteOffset) yield now
      last = now
    }
  }
}
