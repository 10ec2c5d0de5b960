import { closeSync, openSync } from 'node:fs'
import { appendFile, copyFile, readFile, stat, truncate } from 'node:fs/promises'

/** PostgreSQL’s log: at most `maxBytes` and a former part of the same size beside it. */
export interface LogFile {
  path: string
  append: (text: string) => Promise<void>
  /** Length in bytes, to read from later what came after. */
  length: () => Promise<number>
  readFrom: (offset: number) => Promise<string>
  /** A descriptor to append to, for a child; the caller closes it. */
  open: () => { descriptor: number; close: () => void }
  /** Moves a log that has grown too long aside, as `….1`; PostgreSQL goes on writing to the same file. */
  trim: () => Promise<void>
}

const maxBytes = 4 * 1024 * 1024

/** The log file at a path; made by the first write, readable by its owner only. */
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
      // The file is only ever appended to, so that a running PostgreSQL goes on at its new end.
      await truncate(path)
    },
  }
}
