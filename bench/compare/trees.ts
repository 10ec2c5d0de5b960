import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { CompareError } from './compare-error.ts'
import { shortHash, type Commit } from './print-report.ts'
import type { ProgramResult, Programs } from './programs.ts'

/** Names the packages of a commit. */
export const lockFile = 'package-lock.json'

/** A commit's files in a folder of their own, with its packages and its build. */
export interface Tree {
  commit: Commit
  path: string
}

/**
 * Clones a commit into `path`, installs its packages and builds it as its `npm run build` does. The packages of `repository`
 * are linked if they are those of the commit's lock file. Throws CompareError.
 */
export async function prepareTree(
  given: Tree & { repository: string; programs: Programs; signal: AbortSignal },
): Promise<void> {
  const { commit, path, repository, programs, signal } = given
  const run = async (task: string, cwd: string, program: string, ...parameters: string[]) => {
    const result = await programs.run(cwd, program, ...parameters)
    if (result.status === 0) return
    throw new CompareError(`${shortHash(commit)} cannot be measured: ${task} failed (${lastLine(result)}).`)
  }
  // Shares the objects; unlike a work tree of git it leaves nothing in the repository if this process is killed.
  await run('git clone', repository, 'git', 'clone', '--quiet', '--shared', '--no-checkout', repository, path)
  await run('git checkout', path, 'git', 'checkout', '--quiet', '--detach', commit.hash)
  const lock = await readText(join(path, lockFile))
  if (lock !== null && lock === (await readText(join(repository, lockFile)))) {
    await linkFolder(join(repository, 'node_modules'), join(path, 'node_modules'), signal)
  } else if (lock !== null) {
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm ci', path, 'npm', 'ci', ...quiet)
    // npm may be configured to ignore install scripts; this one fetches the pinned Node.
    if (await lacksPinnedNode(path)) {
      await run('npm rebuild node', path, 'npm', 'rebuild', 'node', '--ignore-scripts=false', '--loglevel=error')
    }
  }
  const { scripts } = JSON.parse((await readText(join(path, 'package.json'))) ?? '{}') as {
    scripts?: { build?: string }
  }
  if (scripts?.build !== undefined) await run('npm run build', path, 'npm', 'run', '--silent', 'build')
}

async function lacksPinnedNode(path: string): Promise<boolean> {
  const folder = join(path, 'node_modules', 'node')
  const exists = (at: string) => stat(at).catch(() => null)
  return (await exists(folder)) !== null && (await exists(join(folder, 'bin', 'node'))) === null
}

/** The line of an output that says why a program failed, without its full stop: the first error, or else the last line. */
export function lastLine({ status, out, err }: ProgramResult): string {
  const lines = `${out}\n${err}`.split('\n').map((line) => line.trim())
  const reason = lines.find((line) => /^(\w*Error|npm error|fatal|error)\b.*:/.test(line))
  const line = reason ?? lines.findLast((line) => line !== '') ?? `status ${status}`
  return line.replace(/\.$/, '')
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null) // There is none.
}

/** A copy of a folder whose files are hard links, or copies on another disk. */
async function linkFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await linkFolder(source, target, signal)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await linkFile(source, target)
  }
}

async function linkFile(source: string, target: string): Promise<void> {
  try {
    await link(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(source, target, constants.COPYFILE_FICLONE)
  }
}
