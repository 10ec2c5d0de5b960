import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))
const execute = promisify(execFile)

/** A copy of the project's sources to break things in; it borrows the packages. Removed by `await using`. */
export interface ProjectCopy extends AsyncDisposable {
  path: string
  /** Puts a file where it should not be. */
  plant: (file: string, text: string) => Promise<void>
  remove: (file: string) => Promise<void>
  /** Runs a program of a package and gives its exit code and what it printed. */
  run: (script: string, parameters: readonly string[]) => Promise<{ code: number; output: string }>
}

export async function copyProject(): Promise<ProjectCopy> {
  const path = await mkdtemp(join(tmpdir(), 'sendwright copy '))
  const { stdout } = await execute('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    maxBuffer: 1 << 26,
  })
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    // A file that was deleted and not yet committed is listed and not there.
    await cp(join(root, file), join(path, file)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    })
  }
  await symlink(join(root, 'node_modules'), join(path, 'node_modules'))
  return {
    path,
    async plant(file, text) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), text)
    },
    remove: (file) => rm(join(path, file)),
    async run(script, parameters) {
      try {
        const done = await execute(process.execPath, [join(root, 'node_modules', script), ...parameters], {
          cwd: path,
          maxBuffer: 1 << 26,
        })
        return { code: 0, output: done.stdout + done.stderr }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { code, output: stdout + stderr }
      }
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
