import { parseArgs } from 'node:util'
import { CompareError } from './compare-error.ts'

/** What `npm run bench -- compare` measures. */
export interface CompareOptions {
  /** As git names it: a hash, a branch, `HEAD~3`. */
  commit: string
  /** A name that `npm run bench` knows. */
  bench: string
  pairCount: number
  isJson: boolean
}

/** Fewer pairs give no spread; more cost more time than they add. */
const pairLimits = { least: 3, most: 50 }
const usage = 'npm run bench -- compare <commit> <bench> [--pairs=3] [--json]'

/** Reads the words after `compare`. Throws CompareError. */
export function readArguments(words: readonly string[]): CompareOptions {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: { pairs: { type: 'string' }, json: { type: 'boolean' } },
  })
  const unknown = tokens.find((token) => token.kind === 'option' && !['pairs', 'json'].includes(token.name))
  if (unknown?.kind === 'option') {
    throw new CompareError(`Unknown option ${unknown.rawName}: compare has --pairs and --json.`)
  }
  const [commit, bench, ...rest] = positionals
  if (commit === undefined || bench === undefined) throw new CompareError(`Name a commit and a bench: ${usage}.`)
  if (rest.length > 0) {
    throw new CompareError(`compare takes one commit and one bench, not also ${rest.join(' ')}: ${usage}.`)
  }
  return { commit, bench, pairCount: readPairCount(values.pairs), isJson: values.json === true }
}

function readPairCount(text: string | boolean | undefined): number {
  const { least, most } = pairLimits
  if (text === undefined) return least
  const count = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  throw new CompareError(`--pairs must be a whole number from ${least} to ${most}, for example --pairs=5.`)
}
