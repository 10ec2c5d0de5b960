import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `npm run verify [name …]`: every check a change must pass, or the named ones. Prints `N passed, N failed` last.

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules', name)
const rooms = [
  'contract',
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

/** Needed by others, so it comes first. */
const build: Check = { name: 'build', script: 'commands/build.ts', parameters: [] }

/** Each says nothing while it holds. */
const guards: Check[] = [
  { name: 'types', script: bin('typescript/bin/tsc'), parameters: ['-p', '.'] },
  { name: 'lint', script: bin('eslint/bin/eslint.js'), parameters: ['--max-warnings=0', '.'] },
  { name: 'format', script: bin('prettier/bin/prettier.cjs'), parameters: ['--check', '--log-level=warn', '.'] },
  { name: 'walls', script: bin('dependency-cruiser/bin/dependency-cruiser.mjs'), parameters: rooms },
  { name: 'dead code', script: bin('knip/bin/knip.js'), parameters: [] },
  { name: 'size', script: bin('size-limit/bin.js'), parameters: [] },
]

const wanted = new Set(process.argv.slice(2))
const isWanted = (name: string) => wanted.size === 0 || wanted.has(name)

process.exitCode = await verify()

async function verify(): Promise<number> {
  const outcomes: Outcome[] = []
  const built = await runGuard(build)
  outcomes.push(built)
  if (built.failedCount === 0) {
    const [tests] = await Promise.all([isWanted('tests') ? runTests() : null, runGuards(outcomes)])
    if (tests) outcomes.push(tests)
  }
  const passedCount = outcomes.reduce((sum, outcome) => sum + outcome.passedCount, 0)
  const failedCount = outcomes.reduce((sum, outcome) => sum + outcome.failedCount, 0)
  console.log(`${passedCount} passed, ${failedCount} failed`)
  return failedCount === 0 ? 0 : 1
}

async function runGuards(outcomes: Outcome[]): Promise<void> {
  for (const guard of guards.filter(({ name }) => isWanted(name))) outcomes.push(await runGuard(guard))
}

async function runGuard(check: Check): Promise<Outcome> {
  const startedAt = performance.now()
  const { code, output } = await run(check)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const isPassed = code === 0
  console.log(`${isPassed ? 'pass' : 'FAIL'}  ${check.name} (${seconds} s)${isPassed ? '' : `\n${output}`}`)
  return { passedCount: isPassed ? 1 : 0, failedCount: isPassed ? 0 : 1 }
}

/** The tests speak for themselves while they run; their report is only counted. */
async function runTests(): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'sendwright-tests-'))
  try {
    const report = join(folder, 'report.json')
    const parameters = [
      'run',
      '--silent=passed-only',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]
    const { code } = await run({ name: 'tests', script: bin('vitest/vitest.mjs'), parameters }, 'inherit')
    const counts = JSON.parse(await readFile(report, 'utf8')) as { numPassedTests: number; numFailedTests: number }
    // A run that fails without a failed test (a leak, an error outside a test) is a failure all the same.
    const failedCount = code !== 0 && counts.numFailedTests === 0 ? 1 : counts.numFailedTests
    return { passedCount: counts.numPassedTests, failedCount }
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
      // Plain text: what is printed ends up in files.
      env: { ...process.env, NO_COLOR: '1' },
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
