import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const execute = promisify(execFile)

/** Generated files. */
const notSources = new Set(['.git', 'node_modules', 'dist', 'data'])

/** A copy of the project's sources for tests that break something; it shares the packages. Removed by `await using`. */
export interface ProjectCopy extends AsyncDisposable {
  path: string
  /** Writes a file to a wrong place. */
  writeFile: (file: string, text: string) => Promise<void>
  /** Runs a program of a package and returns its exit code and its output. */
  run: (script: string, parameters: readonly string[]) => Promise<{ code: number; output: string }>
}

export async function copyProject(): Promise<ProjectCopy> {
  const path = await mkdtemp(join(tmpdir(), 'sendwright copy '))
  const entries = (await readdir(root)).filter((name) => !notSources.has(name))
  await Promise.all(entries.map((name) => cp(join(root, name), join(path, name), { recursive: true })))
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'))
  return {
    path,
    async writeFile(file, text) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    },
    async run(script, parameters) {
      try {
        const command = [join(root, 'node_modules', script), ...parameters]
        const done = await execute(process.execPath, command, { cwd: path, maxBuffer: 1 << 26 })
        return { code: 0, output: done.stdout + done.stderr }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { code, output: stdout + stderr }
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
