import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Operation } from './operation.ts'

// Read from the folder, unlike other registries: a description has no behaviour, and a call without a route or a client
// function fails tests/contract. No browser code imports this file.
const folder = join(import.meta.dirname, '..')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /^[^.]+\.ts$/.test(name) && !name.endsWith('operations.ts'))
  .sort()
const modules = await Promise.all(
  files.map(
    async (name) => (await import(pathToFileURL(join(folder, name)).href)) as Readonly<Record<string, unknown>>,
  ),
)

/** All operations: every one that a file of the contract exports, by file. */
export const operations: readonly Operation[] = modules.flatMap((module) => Object.values(module).filter(isOperation))

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'answers' in value
}
