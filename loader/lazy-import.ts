import type { Load } from './contract.ts'

let load: Load

/** Hands in the loader's own way to fetch. */
export function setLoad(given: Load): void {
  load = given
}

/** What the build makes of an `import()` in the embed (commands/build/parts.ts). */
export function part(file: string): Promise<unknown> {
  return load(file)
}
