import { randomBytes } from 'node:crypto'
import { appendFile, cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build } from '../../commands/build.ts'
import { copyProject, type ProjectCopy } from '../support/project-copy.ts'

/** Violations that lint must find, each in a file of its own. */
const smells: [what: string, file: string, text: string, rule: string][] = [
  [
    'a promise that nobody waits for',
    'server/domain/breach-promise.ts',
    'export function start(): void {\n  Promise.resolve()\n}\n',
    'no-floating-promises',
  ],
  [
    'the environment outside main.ts',
    'server/domain/breach-environment.ts',
    'export const path = process.env\n',
    'no-restricted-globals',
  ],
  ['a second fetch', 'widgets/lib/breach-fetch.ts', "export const page = () => fetch('/')\n", 'no-restricted-globals'],
  [
    'chance that can be guessed',
    'server/domain/breach-chance.ts',
    'export const token = () => Math.random()\n',
    'no-restricted-properties',
  ],
  ['a barrel', 'contract/breach-barrel.ts', "export * from './limits.ts'\n", 'exports'],
  ['a default export', 'contract/breach-default.ts', 'export default 1\n', 'exports'],
  ['a variable of a module', 'server/domain/breach-variable.ts', 'export let count = 1\n', 'module-state'],
  [
    'a collection of a module that begins empty',
    'client/core/breach-collection.ts',
    'export const known = new Map<string, string>()\n',
    'module-state',
  ],
  [
    'a value of any type',
    'server/domain/breach-any.ts',
    'export const name = (text: string): string => JSON.parse(text).name\n',
    'no-unsafe-return',
  ],
  [
    'a regular expression in quadratic time',
    'contract/breach-expression.ts',
    'export const isBlank = (text: string) => /\\s+$/.test(text)\n',
    'no-super-linear-move',
  ],
  [
    'an effect without a value that it reads',
    'dashboard/shell/breach-dependency.tsx',
    "import { useEffect } from 'react'\nexport function Breach({ title }: { title: string }) {\n  useEffect(() => {\n    document.title = title\n  }, [])\n}\n",
    'exhaustive-deps',
  ],
  [
    'an effect passed by its name',
    'dashboard/shell/breach-effect-name.tsx',
    "import { useEffect } from 'react'\nexport function Breach({ onDrawn }: { onDrawn: () => void }) {\n  useEffect(onDrawn, [onDrawn])\n}\n",
    'effect-cleanup',
  ],
  [
    'an effect that returns a call of type void',
    'dashboard/shell/breach-effect-return.tsx',
    "import { useEffect } from 'react'\nexport function Breach({ onDrawn }: { onDrawn: () => void }) {\n  useEffect(() => {\n    return onDrawn()\n  }, [onDrawn])\n}\n",
    'no-confusing-void-expression',
  ],
  [
    'an effect that returns what is no cleanup',
    'dashboard/shell/breach-effect.tsx',
    "import { useEffect } from 'react'\nexport function Breach({ onDrawn }: { onDrawn: () => void }) {\n  useEffect(() => onDrawn(), [onDrawn])\n}\n",
    'effect-cleanup',
  ],
  [
    'a scope that authorize() has not constructed',
    'server/domain/breach-scope.ts',
    "import type { Scope } from './auth/scope.ts'\nexport const all = { workspaceId: '' } as Scope\n",
    'scope',
  ],
  ['a console line', 'server/domain/breach-console.ts', "console.log('here')\nexport {}\n", 'no-console'],
]

const wrongType = 'server/domain/breach-type.ts'

/** A test that alone imports a file and a function. */
const testOnlyCalls = `import { breachValue } from './breach-file.ts'
import { breachFunction } from './sandbox.ts'
export const calls = [breachValue, breachFunction()]
`

let copy: ProjectCopy

beforeAll(async () => {
  copy = await copyProject()
  for (const [, file, text] of smells) await copy.writeFile(file, text)
  await copy.writeFile(wrongType, 'export const count: number = "three";\n')
  await appendFile(join(copy.path, 'client/mail/sandbox.ts'), '\nexport const breachFunction = () => 1\n')
  await copy.writeFile('client/mail/breach-file.ts', 'export const breachValue = 1\n')
  await copy.writeFile('client/mail/breach.test.ts', testOnlyCalls)
})
afterAll(() => copy[Symbol.asyncDispose]())

describe('the checks of npm test', () => {
  it('types: a wrong type is found', async () => {
    const looked = await copy.run('typescript-native/bin/tsc', ['-p', '.', '--listFilesOnly'])
    expect(looked.output).toContain(wrongType)
    // With the same rules, without checking the whole project again.
    const one = { extends: './tsconfig.json', include: [wrongType] }
    await copy.writeFile('tsconfig.one.json', JSON.stringify(one))
    const { code, output } = await copy.run('typescript-native/bin/tsc', ['-p', 'tsconfig.one.json'])
    expect(output).toContain(`${wrongType}(1,14): error TS2322`)
    expect(code).not.toBe(0)
  })

  it('lint: every violation is found at its line', async () => {
    const files = smells.map(([, file]) => file)
    const { code, output } = await copy.run('oxlint/bin/oxlint', ['--format=json', ...files])
    const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code: string }[] }
    const found = diagnostics.map(({ filename, code: rule }) => `${filename} ${rule}`)
    for (const [what, file, , rule] of smells) {
      expect(found, what).toContainEqual(expect.stringMatching(`${file} .*\\(${rule}\\)$`))
    }
    expect(code).not.toBe(0)
  })

  it('format: an unformatted file is found', async () => {
    const { code, output } = await copy.run('oxfmt/bin/oxfmt', ['--check', wrongType])
    expect(output).toContain(wrongType)
    expect(code).not.toBe(0)
  })

  it('dead code: a file without an import is found', async () => {
    const { code, output } = await copy.run('knip/bin/knip.js', [])
    expect(output).toContain(wrongType)
    expect(output).not.toContain('client/mail/')
    expect(code).not.toBe(0)
  })

  it('dead code: a function and a file that only a test imports are found', async () => {
    const { code, output } = await copy.run('knip/bin/knip.js', ['--production'])
    expect(output).toContain('client/mail/breach-file.ts')
    expect(output).toMatch(/^breachFunction .*client\/mail\/sandbox\.ts/m)
    expect(code).not.toBe(0)
  })

  it('dead code: an exception for a function that has another caller is found', async () => {
    const path = join(copy.path, 'knip.config.ts')
    const text = await readFile(path, 'utf8')
    await copy.writeFile('knip.config.ts', text.replace('{ deleteAllTemplates:', '{ deleteEmailTemplate:'))
    const { code, output } = await copy.run('knip/bin/knip.js', ['--production'])
    await copy.writeFile('knip.config.ts', text)
    expect(output).toContain('remove deleteEmailTemplate of client/mail/template.ts')
    expect(code).not.toBe(0)
  })

  it('size: a bundle over its budget is found, and named', async () => {
    await build()
    const dist = join(copy.path, 'dist')
    await cp(join(import.meta.dirname, '../../dist'), dist, { recursive: true })
    const core = (await readdir(join(dist, 'embed'))).find((name) => /^core-.*\.js$/.test(name))!
    expect((await copy.run('size-limit/bin.js', [])).code).toBe(0)
    await appendFile(join(dist, 'embed', core), randomBytes(200))
    const { code, output } = await copy.run('size-limit/bin.js', [])
    expect(output).toMatch(/core: renderer.*\n\s*Package size limit has exceeded/)
    expect(code).not.toBe(0)
  })
})
