import { closeSync, openSync } from 'node:fs'
import { appendFile, copyFile, readFile, stat, truncate } from 'node:fs/promises'

/** PostgreSQL’s log: at most `maxBytes`, plus one rotated file of the same size. */
export interface LogFile {
  path: string
  append: (text: string) => Promise<void>
  /** Length in bytes, as an offset for `readFrom`. */
  length: () => Promise<number>
  readFrom: (offset: number) => Promise<string>
  /** A file descriptor for appending, for a child process; the caller closes it. */
  open: () => { descriptor: number; close: () => void }
  /** Rotates a log above the limit to `….1`; PostgreSQL keeps writing to the same file. */
  trim: () => Promise<void>
}

const maxBytes = 4 * 1024 * 1024

/** The log file at a path; created by the first write, readable by its owner only. */
export function logFileAt(path: string): LogFile {
  const length = async () => {
    try {
      return (await stat(path)).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
  }
  return {
    path,
    append: (text) => appendFile(path, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 }),
    length,
    readFrom: async (offset) => (await readFile(path)).subarray(offset).toString('utf8'),
    open: () => {
      const descriptor = openSync(path, 'a', 0o600)
      return { descriptor, close: () => closeSync(descriptor) }
    },
    trim: async () => {
      if ((await length()) <= maxBytes) return
      await copyFile(path, `${path}.1`)
      // PostgreSQL appends, so it continues at the new end of the file.
      await truncate(path)
    },
  }
}
