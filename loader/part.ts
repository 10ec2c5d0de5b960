import type { LoadFiles, Parts } from './contract.ts'

let load: LoadFiles
let tableFiles: readonly string[]

/** Hands in the loader's own way to fetch, and where the hashes of what is fetched when used are. */
export function setLoad(given: LoadFiles, givenTable: readonly string[]): void {
  load = given
  tableFiles = givenTable
}

/** What the build makes of an `import()` in the embed (commands/build/parts.ts). */
export async function part(file: string): Promise<unknown> {
  const { table } = (await load(tableFiles)) as Parts
  return load(table[file]!)
}
