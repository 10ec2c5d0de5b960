import { readFile } from 'node:fs/promises'
import { isDocumentId, type Seed } from '../../domain/auth/hosted.ts'

/** An invalid library file: none of it is used. */
export class LibraryFileError extends Error {
  override readonly name = 'LibraryFileError'
}

/** Reads the templates of the build: an array of `{id, data}`, each with `data.version`. Null if there is no file. */
export async function readLibraryFile(path: string): Promise<Seed[] | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch (error) {
    throw new LibraryFileError('The library is not JSON.', { cause: error })
  }
  if (!Array.isArray(entries)) throw new LibraryFileError('The library is no list.')
  return entries.map((entry: unknown, at) => {
    const seed = toSeed(entry)
    if (seed === null) throw new LibraryFileError(`Entry ${at} of the library has no id, data or version.`)
    return seed
  })
}

function toSeed(entry: unknown): Seed | null {
  const { id, data } = (entry ?? {}) as { id?: unknown; data?: unknown }
  const { version } = (data ?? {}) as { version?: unknown }
  const isSeed = typeof id === 'string' && isDocumentId(id) && typeof version === 'string'
  return isSeed ? { id, version, data: data as Seed['data'] } : null
}
