import { CompareError } from './compare-error.ts'
import type { Side } from './pairs.ts'
import type { Commit } from './print-report.ts'
import type { Programs } from './programs.ts'

const shownPathCount = 3

/** The repository of a folder: its root, and both commits. Throws CompareError. */
export async function readRepository(
  folder: string,
  name: string,
  programs: Programs,
): Promise<{ root: string; commits: Readonly<Record<Side, Commit>> }> {
  const git = (...parameters: string[]) => programs.run(folder, 'git', ...parameters)
  const top = await git('rev-parse', '--show-toplevel')
  if (top.status !== 0)
    throw new CompareError('This folder is no git repository: clone the project, then compare there.')
  const find = async (revision: string): Promise<Commit> => {
    const found = await git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`)
    const hash = found.out.trim()
    if (found.status !== 0) {
      throw new CompareError(`No commit is named ${revision} here: look it up with git log, or fetch it first.`)
    }
    return { hash, subject: (await git('log', '-1', '--format=%s', hash)).out.trim() }
  }
  const commits = { before: await find(name), after: await find('HEAD') }
  const changed = (await git('status', '--porcelain', '--untracked-files=no')).out.split('\n').filter(Boolean)
  if (changed.length > 0) {
    const paths = changed.slice(0, shownPathCount).map((line) => line.slice(3))
    const more = changed.length > shownPathCount ? ` and ${changed.length - shownPathCount} more` : ''
    throw new CompareError(
      `The work tree has uncommitted changes (${paths.join(', ')}${more}), which HEAD does not contain: commit or stash them first.`,
    )
  }
  return { root: top.out.trim(), commits }
}

/** The benches and the helpers that they share with tests. */
export const benchPaths = ['bench', 'tests/support', ':!*.test.ts', ':!bench/compare']

/** Files that differ between the commits, of those that git's path patterns name. */
export async function changedFiles(
  root: string,
  { before, after }: Readonly<Record<Side, Commit>>,
  paths: readonly string[],
  programs: Programs,
): Promise<string[]> {
  const { out } = await programs.run(root, 'git', 'diff', '--name-only', before.hash, after.hash, '--', ...paths)
  return out.split('\n').filter(Boolean)
}
