import { mkdir, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyProject, type ProjectCopy } from '../support/project-copy.ts'

let copy: ProjectCopy

beforeAll(async () => {
  copy = await copyProject()
})
afterAll(() => copy[Symbol.asyncDispose]())

describe('the checks of npm test', () => {
  it('types: a wrong type is found', async () => {
    await copy.plant('server/domain/breach.ts', 'export const count: number = "three"\n')
    const { code, output } = await copy.run('typescript/bin/tsc', ['-p', '.'])
    await copy.remove('server/domain/breach.ts')
    expect(output).toContain('server/domain/breach.ts(1,14): error TS2322')
    expect(code).not.toBe(0)
  })

  it.each([
    [
      'a promise that nobody waits for',
      'server/domain/breach.ts',
      'export function start(): void {\n  Promise.resolve()\n}\n',
      'no-floating-promises',
    ],
    [
      'the environment outside main.ts',
      'server/domain/breach.ts',
      'export const path = process.env\n',
      'no-restricted-globals',
    ],
    ['a second fetch', 'widgets/lib/breach.ts', "export const page = () => fetch('/')\n", 'no-restricted-globals'],
    [
      'chance that can be guessed',
      'server/domain/breach.ts',
      'export const token = () => Math.random()\n',
      'no-restricted-properties',
    ],
    ['a barrel', 'contract/breach.ts', "export * from './limits.ts'\n", 'no-restricted-syntax'],
    ['a console line', 'server/domain/breach.ts', "console.log('here')\nexport {}\n", 'no-console'],
  ])('lint: %s is found', async (_what, file, text, rule) => {
    await copy.plant(file, text)
    const { code, output } = await copy.run('eslint/bin/eslint.js', ['--max-warnings=0', file])
    await copy.remove(file)
    expect(output).toContain(rule)
    expect(code).not.toBe(0)
  })

  it('format: a file that is written otherwise is found', async () => {
    await copy.plant('server/domain/breach.ts', 'export const a = "b";\n')
    const { code, output } = await copy.run('prettier/bin/prettier.cjs', ['--check', 'server/domain/breach.ts'])
    await copy.remove('server/domain/breach.ts')
    expect(output).toContain('server/domain/breach.ts')
    expect(code).not.toBe(0)
  })

  it('dead code: a file that nobody imports, and an export that nobody takes, are found', async () => {
    await copy.plant('server/domain/breach.ts', 'export const nobody = 1\n')
    const { code, output } = await copy.run('knip/bin/knip.js', [])
    await copy.remove('server/domain/breach.ts')
    expect(output).toContain('server/domain/breach.ts')
    expect(code).not.toBe(0)
  })

  it('size: a chunk over its budget is found', async () => {
    await mkdir(join(copy.path, 'dist', 'embed'), { recursive: true })
    await writeFile(join(copy.path, 'dist', 'embed', 'core.js'), randomBytes(20_000))
    const { code, output } = await copy.run('size-limit/bin.js', [])
    expect(output).toMatch(/exceeded|limit/i)
    expect(code).not.toBe(0)
  })
})
