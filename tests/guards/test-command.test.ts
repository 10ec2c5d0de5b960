import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestCounts } from '../../commands/progress-reporter.ts'
import { readOptions } from '../../commands/verify/options.ts'
import { plainEnvironment } from '../support/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const reporter = join(root, 'commands/progress-reporter.ts')
const pageConsole = 'tests/support/hooks/page-console.ts'
const execute = promisify(execFile)

interface Ended {
  code: number
  lines: string[]
}

/** Runs a script until it ends; its output is plain text. */
async function runNode(script: string, parameters: readonly string[], cwd = root): Promise<Ended> {
  const env = { ...plainEnvironment(), NO_COLOR: '1' }
  const ended = await execute(process.execPath, [script, ...parameters], { cwd, env }).then(
    (done) => ({ code: 0, ...done }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
  return { code: ended.code, lines: (ended.stdout + ended.stderr).split('\n').filter((line) => line !== '') }
}

/** A project with three projects of tests; a second attempt counts in `pages`. */
const config = `
export default {
  test: {
    maxWorkers: 1,
    reporters: [[${JSON.stringify(reporter)}, { budgetCpuSeconds: 0.02 }]],
    projects: [
      { test: { name: 'plain', isolate: false, include: ['plain/*.test.js'] } },
      { test: { name: 'pages', isolate: false, include: ['pages/*.test.js'], retry: 1 } },
      {
        test: {
          name: 'widgets',
          include: ['widgets/*.test.js'],
          environment: 'happy-dom',
          setupFiles: ['page-console.ts'],
        },
      },
    ],
  },
}`

const slow = `
import { it } from 'vitest'
it('is slow', async () => {
  console.error('Error: expected at', new Error('noise'))
  await new Promise((resolve) => setTimeout(resolve, 250))
})`

const costly = `
import { it } from 'vitest'
it('is costly', () => {
  console.log('expected')
  const endsAt = performance.now() + 50
  while (performance.now() < endsAt);
})`

const unsteady = `
import { expect, it } from 'vitest'
let attemptCount = 0
it('comes too early', () => {
  attemptCount += 1
  console.warn('attempt', attemptCount)
  expect(attemptCount).toBe(2)
})`

/** Nothing listens on port 1. */
const refused = `
import { expect, it } from 'vitest'
it('shows a refused connection', async () => {
  const shown = await fetch('http://localhost:1/').then(() => 'an answer', () => 'an error')
  expect(shown).toBe(EXPECTED)
})`

const failing = `
import { beforeAll, expect, it } from 'vitest'
beforeAll(() => console.log('prepared'))
it('passes', () => console.log('expected'))
it('fails', () => {
  console.error('the reason')
  expect(1).toBe(2)
})`

const third = `
import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
let runCount = 0
it('fails at its third run', () => {
  appendFileSync('runs', 'run ')
  runCount += 1
  expect(runCount).not.toBe(3)
})`

const files: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'vitest.config.js': config,
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`plain/slow-${at}.test.js`, slow])),
  'plain/costly.test.js': costly,
  'plain/red-failing.test.js': failing,
  'pages/unsteady.test.js': unsteady,
  'pages/red-third.test.js': third,
  'widgets/offline.test.js': refused.replace('EXPECTED', "'an error'"),
  'widgets/red-offline.test.js': refused.replace('EXPECTED', "'an answer'"),
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'))
  await copyFile(join(root, pageConsole), join(folder.path, 'page-console.ts'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true })
    await writeFile(join(folder.path, name), text)
  }
})
afterAll(() => folder[Symbol.asyncDispose]())

/** Runs tests of the folder with options of `npm test`. */
async function runTests(option: string | null, ...parameters: string[]): Promise<Ended & { counts: TestCounts }> {
  const options = option === null ? [] : readOptions([option], new Set()).testOptions
  const counted = join(folder.path, 'counts.json')
  const all = ['run', `--outputFile.counts=${counted}`, ...options, ...parameters]
  const ended = await runNode(join(root, 'node_modules/vitest/vitest.mjs'), all, folder.path)
  return { ...ended, counts: JSON.parse(await readFile(counted, 'utf8')) as TestCounts }
}

describe('a run of tests', () => {
  it('that is green prints its projects, its slowest and costly files and its unsteady tests, and nothing else', async () => {
    const { code, lines, counts } = await runTests(null, 'plain', 'pages', '--exclude=**/red-*')
    const plain = lines.map((line) => line.replace(/\b\d+\.\d s, \d+ CPU s/, 'COST'))
    expect(plain.slice(0, 2).toSorted()).toEqual([
      'pass  tests: pages, 1 passed (COST)',
      'pass  tests: plain, 11 passed (COST)',
    ])
    expect(plain[2]).toBe('      slowest files:')
    expect(plain.slice(3, 13).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, at) => `      COST plain: plain/slow-${at}.test.js`),
    )
    const seconds = lines.slice(3, 13).map((line) => Number.parseFloat(line))
    expect(seconds).toEqual(seconds.toSorted((one, other) => other - one))
    // Other processes of the machine are counted too, so that the cheap file may be above the small budget.
    expect(
      plain.slice(13).filter((line) => !/over 0.02 CPU s, pages: \d+ pages\/unsteady\.test\.js$/.test(line)),
    ).toEqual([
      expect.stringMatching(/^ {6}others over 0\.02 CPU s, plain: \d+ plain\/costly\.test\.js$/),
      'unsteady  pages: pages/unsteady.test.js > comes too early',
      '    expected 1 to be 2 // Object.is equality',
    ])
    expect([code, counts]).toEqual([0, { passedCount: 12, failedCount: 0 }])
  })

  it('that is red prints what failed tests, their files and their pages have written', async () => {
    const { code, lines, counts } = await runTests('--retry=0', 'red-failing', 'red-offline', 'unsteady')
    const at = (start: string) => lines.findIndex((line) => line.startsWith(start))
    const first = at('FAIL  plain: plain/red-failing.test.js > fails')
    expect(lines.slice(first).slice(0, 11)).toEqual([
      'FAIL  plain: plain/red-failing.test.js > fails',
      expect.stringMatching(/^ {4}at .*red-failing\.test\.js:7$/),
      '    expected 1 to be 2 // Object.is equality',
      '- Expected',
      '+ Received',
      '- 2',
      '+ 1',
      '    written by fails:',
      '    | the reason',
      '    written by plain/red-failing.test.js:',
      '    | prepared',
    ])
    expect(lines.filter((line) => line.includes('| expected'))).toEqual([])
    const page = lines.slice(at('    written by shows a refused connection:') + 1)[0]
    expect(page).toMatch(/^ {4}\| .*ECONNREFUSED/)
    // Without a second attempt.
    expect(lines).toContain('FAIL  pages: pages/unsteady.test.js > comes too early')
    expect(lines).toContain('    | attempt 1')
    expect(at('unsteady')).toBe(-1)
    expect([code, counts]).toEqual([1, { passedCount: 1, failedCount: 3 }])
  })

  it('that repeats its tests counts the first failure, and prints nothing that a passed page has written', async () => {
    const runs = join(folder.path, 'runs')
    await rm(runs, { force: true })
    const { code, lines, counts } = await runTests('--repeat=4', 'red-third', 'widgets/offline')
    expect(await readFile(runs, 'utf8')).toBe('run run run run ')
    expect(lines).toContain('FAIL  pages: pages/red-third.test.js > fails at its third run')
    expect(lines.filter((line) => line.includes('ECONNREFUSED'))).toEqual([])
    expect([code, counts]).toEqual([1, { passedCount: 1, failedCount: 1 }])
  })
})

describe('a wrong parameter', () => {
  it.each([
    ['test', '--retry=x', '--retry must be a whole number of at least 0, for example --retry=1.'],
    [
      'test',
      'server/nothing',
      '“server/nothing” is no check and no part of the path of a test file: name a file or folder, for example npm test -- server/http/campaigns.',
    ],
    ['soak', 'udp', '“udp” is not a soak: write npm run soak, or npm run soak -- tcp.'],
  ])('npm run %s -- %s ends at once with one sentence', async (name, parameter, sentence) => {
    expect(await runNode(`commands/${name}.js`, [parameter])).toEqual({ code: 2, lines: [sentence] })
  })
})
