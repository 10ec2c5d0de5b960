import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestCounts } from './progress-reporter.ts'
import { checkTestPaths, readOptions, UsageError, type VerifyOptions } from './verify/options.ts'

// `npm run verify [name | path | option …]`: every check that a change must pass, or the named ones; paths run the tests of
// these files and folders. `--retry=0` counts no second attempt, `--repeat=20` runs each test 20 times, and the first failure
// counts. If another check fails, the tests do not run. Prints `N passed, N failed` last.

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules', name)
const sources = [
  'contract',
  'mail-design',
  'client',
  'widgets',
  'loader',
  'dashboard',
  'examples',
  'server',
  'library',
  'commands',
  'tests',
  'bench',
]

interface Check {
  name: string
  script: string
  parameters: string[]
}

/** A check's outcome; a check without a report counts as one test. */
interface Outcome {
  passedCount: number
  failedCount: number
}

const build: Check = { name: 'build', script: 'commands/build.ts', parameters: [] }

/** Measures what the build has made, as the tests do. */
const size: Check = { name: 'size', script: bin('size-limit/bin.js'), parameters: [] }

/** They read sources only. Their output is printed if they fail. */
const guards: Check[] = [
  { name: 'dependencies', script: bin('dependency-cruiser/bin/dependency-cruiser.mjs'), parameters: sources },
  { name: 'types', script: bin('typescript-native/bin/tsc'), parameters: ['-p', '.'] },
  // Once with tests as callers, for what only they need, and once without: see knip.config.ts.
  { name: 'dead code', script: bin('knip/bin/knip.js'), parameters: [] },
  { name: 'dead code', script: bin('knip/bin/knip.js'), parameters: ['--production'] },
  { name: 'format', script: bin('oxfmt/bin/oxfmt'), parameters: ['--check', '.'] },
  { name: 'lint', script: bin('oxlint/bin/oxlint'), parameters: ['--deny-warnings'] },
]

const names = new Set([...guards.map(({ name }) => name), build.name, size.name, 'tests'])
const isPassed = ({ failedCount }: Outcome) => failedCount === 0

try {
  const options = readOptions(process.argv.slice(2), names)
  checkTestPaths(root, sources, options.testPaths)
  process.exitCode = await verify(options)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}

async function verify({ checks, testPaths, testOptions }: VerifyOptions): Promise<number> {
  const isWanted = (name: string) => checks.size === 0 || checks.has(name)
  const outcomes = await runChecks(isWanted)
  if (isWanted('tests')) {
    if (outcomes.every(isPassed)) outcomes.push(await runTests([...testOptions, ...testPaths]))
    else console.log('The tests did not run: first fix the checks above.')
  }
  const passedCount = outcomes.reduce((sum, outcome) => sum + outcome.passedCount, 0)
  const failedCount = outcomes.reduce((sum, outcome) => sum + outcome.failedCount, 0)
  console.log(`${passedCount} passed, ${failedCount} failed`)
  return failedCount === 0 ? 0 : 1
}

/** Two at a time, the build first, because it takes longest. */
async function runChecks(isWanted: (name: string) => boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const waiting = guards.filter(({ name }) => isWanted(name))
  const runWaiting = async (): Promise<void> => {
    for (let guard = waiting.shift(); guard !== undefined; guard = waiting.shift()) outcomes.push(await runGuard(guard))
  }
  const buildAndMeasure = async () => {
    if (![build.name, size.name, 'tests'].some(isWanted)) return
    const built = await runGuard(build)
    outcomes.push(built)
    if (isPassed(built) && isWanted(size.name)) outcomes.push(await runGuard(size))
  }
  await Promise.all([buildAndMeasure().then(runWaiting), runWaiting()])
  return outcomes
}

async function runGuard(check: Check): Promise<Outcome> {
  const startedAt = performance.now()
  const { code, output } = await run(check)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const hasPassed = code === 0
  console.log(`${hasPassed ? 'pass' : 'FAIL'}  ${check.name} (${seconds} s)${hasPassed ? '' : `\n${output}`}`)
  return { passedCount: hasPassed ? 1 : 0, failedCount: hasPassed ? 0 : 1 }
}

/** The reporter prints progress and failures, and counts. */
async function runTests(options: readonly string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'sendwright-tests-'))
  try {
    const countsFile = join(folder, 'counts.json')
    const reporter = join(root, 'commands/progress-reporter.ts')
    const parameters = ['run', `--reporter=${reporter}`, `--outputFile.counts=${countsFile}`, ...options]
    const { code } = await run({ name: 'tests', script: bin('vitest/vitest.mjs'), parameters }, 'inherit')
    const { passedCount, failedCount } = JSON.parse(await readFile(countsFile, 'utf8')) as TestCounts
    // A run that fails without a failed test, for example without tests, counts as a failure.
    return { passedCount, failedCount: code !== 0 && failedCount === 0 ? 1 : failedCount }
  } catch (error) {
    console.log(`FAIL  tests\n${String(error)}`)
    return { passedCount: 0, failedCount: 1 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(check: Check, stdio: 'inherit' | 'pipe' = 'pipe'): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [check.script, ...check.parameters], {
      // Plain text: the output may be redirected to files. Node compiles a module once for all processes of the run.
      env: { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') },
      cwd: root,
      stdio: ['ignore', stdio, stdio],
    })
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
