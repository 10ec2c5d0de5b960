import { readFile, writeFile } from 'node:fs/promises'

/** A password in a file readable by its owner only: the demo's password, which every start prints. */
export function createPasswordFile(path: string) {
  return {
    async read(): Promise<string | null> {
      try {
        const text = (await readFile(path, 'utf8')).trim()
        return text === '' ? null : text
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
    },
    write: (password: string): Promise<void> => writeFile(path, `${password}\n`, { mode: 0o600 }),
  }
}
