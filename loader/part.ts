import type { LoadFiles } from './contract.ts'

let load: LoadFiles
let table: Promise<Readonly<Record<string, readonly string[]>>> | null = null
let fetchTable: () => typeof table = () => null

/** Hands in the loader's own way to fetch, and where the hashes of what is fetched when used are. */
export function setLoad(given: LoadFiles, tableFiles: readonly string[]): void {
  load = given
  fetchTable = () =>
    (table ??= given(tableFiles).then(
      (module) => (module as { table: Readonly<Record<string, readonly string[]>> }).table,
      (error: unknown) => {
        table = null
        throw error
      },
    ))
}

/** What the build makes of an `import()` in the embed (commands/build/parts.ts). */
export async function part(file: string): Promise<unknown> {
  const lists = await fetchTable()
  return load(lists?.[file] ?? [])
}
