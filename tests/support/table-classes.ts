import { readdir } from 'node:fs/promises'

const folder = new URL('../../server/store/schema/', import.meta.url)
for (const file of await readdir(folder, { recursive: true })) {
  if (file.endsWith('.ts')) await import(new URL(file, folder).href)
}

/** The class of every table of the schema: all its files are loaded. */
export { tableClasses } from '../../server/store/schema/table.ts'
