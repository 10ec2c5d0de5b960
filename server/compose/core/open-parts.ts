import type { Logger } from 'pino'
import { createMetrics } from '../../metrics.ts'
import type { DataFolder } from '../../postgres/data-folder-lock.ts'
import type { Settings } from '../../settings.ts'
import { createClockWatch } from '../../store/core/clock-watch.ts'
import { readQueueDepth } from '../../store/statistics/queue-depth.ts'
import { openVault } from '../../store/vault/vault-keys.ts'
import { openServerDatabase } from './database.ts'
import { withResolve, type Parts } from './parts.ts'
import { authorizeAll } from '../../domain/auth/authorize.ts'

/** The environment of a process. */
export interface World {
  log: Logger
  now: () => Date
  tickMs: () => number
  newId: () => string
}

/** Opens the database and the vault, and returns the dependencies of stores. `undo` collects the functions that close them. */
export async function openParts(
  settings: Settings,
  folder: DataFolder,
  { log, now, tickMs, newId }: World,
  undo: AsyncDisposableStack,
  made = new Map<unknown, unknown>(),
): Promise<Parts> {
  const { database, direct } = await openServerDatabase(settings, folder, log, undo)
  const vault = await openVault(database.pool, settings.secretKeyFile)
  const system = authorizeAll({ kind: 'system', task: 'metrics' })
  const metrics = createMetrics(() => readQueueDepth(system, database.pool), tickMs)
  undo.defer(() => metrics.close())
  const clock = createClockWatch(database.pool, tickMs)
  return withResolve({ settings, database, direct, vault, clock, metrics, log, now, tickMs, newId }, made)
}
