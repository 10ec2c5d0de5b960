import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** A wrong parameter; its message is one sentence with the remedy. */
export class UsageError extends Error {}

/** What `npm test` and `npm run verify` are asked for. */
export interface VerifyOptions {
  /** Names of checks; empty for all. */
  checks: ReadonlySet<string>
  /** Files and folders of tests; empty for all. */
  testPaths: string[]
  /** Options of the test runner. */
  testOptions: string[]
}

const known = { retry: { type: 'string' }, repeat: { type: 'string' } } as const

/** Reads parameters: names of checks, paths of tests and options. Throws UsageError. */
export function readOptions(parameters: readonly string[], checkNames: ReadonlySet<string>): VerifyOptions {
  const { values, positionals, tokens } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    strict: false,
    options: known,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(known, token.name))
      throw new UsageError(
        `Unknown option ${token.rawName}: npm test has --retry and --repeat, for example npm test -- --repeat=20 <path>.`,
      )
  }
  const checks = new Set(positionals.filter((parameter) => checkNames.has(parameter)))
  const testPaths = positionals.filter((parameter) => !checkNames.has(parameter))
  if (testPaths.length > 0) checks.add('tests')
  return { checks, testPaths, testOptions: readTestOptions(values) }
}

/** Repetitions count the first failure. The test runner counts them after the first run. */
function readTestOptions({ retry, repeat }: { retry?: string | boolean; repeat?: string | boolean }): string[] {
  const retryOptions = retry === undefined ? [] : [`--retry=${count('retry', retry, 0)}`]
  return repeat === undefined ? retryOptions : [`--repeats=${count('repeat', repeat, 1) - 1}`, '--retry=0']
}

function count(name: string, text: string | boolean, least: number): number {
  if (typeof text === 'string' && /^\d{1,6}$/.test(text) && Number(text) >= least) return Number(text)
  throw new UsageError(`--${name} must be a whole number of at least ${least}, for example --${name}=${least + 1}.`)
}

/** Throws UsageError for a path that is part of no test file's path in these folders of the project. */
export function checkTestPaths(root: string, folders: readonly string[], testPaths: readonly string[]): void {
  if (testPaths.length === 0) return
  const files = globSync(`{${folders.join()}}/**/*.test.{ts,tsx}`, { cwd: root })
  for (const path of testPaths) {
    // As the test runner does: part of a path, with the line of a test after a colon.
    const part = relative(root, resolve(root, path.replace(/:\d+$/, ''))).toLowerCase()
    if (!files.some((file) => join(file).toLowerCase().includes(part)))
      throw new UsageError(
        `“${path}” is no check and no part of the path of a test file: name a file or folder, for example npm test -- server/http/campaigns.`,
      )
  }
}
