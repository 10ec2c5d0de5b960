import { statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const neededBytes = 6 * 2 ** 30

/**
 * Where folders of tests are made, with access for every user: in memory where the machine has room for those of a run, because a
 * database is copied ten times as fast there. Benches measure a disk.
 */
export const baseFolder = process.env['VITEST'] !== undefined && hasRoom(memory) ? memory : diskFolder()

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}

/** PostgreSQL's user must have access, and root's TMPDIR may be closed to it. */
function diskFolder(): string {
  return process.geteuid?.() === 0 ? '/tmp' : tmpdir()
}

/** A folder for one test, with access for every user; removed by `await using`. */
export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(baseFolder, 'sendwright-test-'))
  await chmod(path, 0o711)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) }
}
