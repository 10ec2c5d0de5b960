import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const freshDays = 30
const dayMs = 86_400_000

/** A file of the data folder that says when X-Forwarded-For arrived while no proxy was trusted. */
export function createForwardedMark(dataDir: string) {
  const path = join(dataDir, 'x-forwarded-for-seen')
  return {
    /** When it was seen; null where it was not within the last 30 days. */
    async read(): Promise<Date | null> {
      const found = await stat(path).catch(() => null) // Not there, or no data folder yet.
      return found !== null && Date.now() - found.mtimeMs < freshDays * dayMs ? found.mtime : null
    },
    write: (): Promise<void> => writeFile(path, `${new Date().toISOString()}\n`),
    clear: (): Promise<void> => rm(path, { force: true }),
  }
}
