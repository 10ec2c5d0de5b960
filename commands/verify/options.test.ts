import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTestPaths, readOptions, UsageError } from './options.ts'

const names = new Set(['lint', 'dead code', 'tests'])
const read = (...parameters: string[]) => readOptions(parameters, names)

describe('the parameters of npm test', () => {
  it('are names of checks, and paths whose tests run', () => {
    expect(read()).toEqual({ checks: new Set(), testPaths: [], testOptions: [] })
    expect(read('lint', 'dead code').checks).toEqual(new Set(['lint', 'dead code']))
    expect(read('server/http', 'lint')).toMatchObject({
      checks: new Set(['lint', 'tests']),
      testPaths: ['server/http'],
    })
  })

  it.each([
    [['--retry=0'], ['--retry=0']],
    [['--retry', '2'], ['--retry=2']],
    [['--repeat=1'], ['--repeats=0', '--retry=0']],
    [
      ['--repeat=20', '--retry=1'],
      ['--repeats=19', '--retry=0'],
    ],
  ])('%j are the test runner’s %j', (given, testOptions) => {
    expect(read(...given)).toEqual({ checks: new Set(), testPaths: [], testOptions })
  })

  const retry = '--retry must be a whole number of at least 0, for example --retry=1.'
  const repeat = '--repeat must be a whole number of at least 1, for example --repeat=2.'
  const unknown = (name: string) =>
    `Unknown option ${name}: npm test has --retry and --repeat, for example npm test -- --repeat=20 <path>.`
  it.each([
    ['--retry=x', retry],
    ['--retry=', retry],
    ['--retry=-1', retry],
    ['--retry', retry],
    ['--repeat=0', repeat],
    ['--repeat=1.5', repeat],
    ['--repeat=1e3', repeat],
    ['--repeats=3', unknown('--repeats')],
    ['--constructor', unknown('--constructor')],
    ['-t', unknown('-t')],
  ])('%s is refused with the name of the option and the remedy', (given, sentence) => {
    expect(() => read(given)).toThrow(new UsageError(sentence))
  })
})

describe('a path of npm test', () => {
  const root = join(import.meta.dirname, '../..')
  const check = (...paths: string[]) => checkTestPaths(root, ['commands', 'widgets/compose'], paths)

  it.each([
    'commands/verify/options.test.ts',
    './commands/verify',
    'Verify/Options',
    'compose.test.tsx',
    join(root, 'commands/doctor/'),
    'commands/verify/options.test.ts:8',
  ])('%s names tests', (path) => {
    expect(() => check(path)).not.toThrow()
  })

  it.each(['commands/verify/option.test.ts', 'commands/start.js', 'server/http', 'lnt', '../commands'])(
    '%s, which names no test, is refused with the remedy',
    (path) => {
      expect(() => check('commands', path)).toThrow(
        new UsageError(
          `“${path}” is no check and no part of the path of a test file: name a file or folder, for example npm test -- server/http/campaigns.`,
        ),
      )
    },
  )
})
