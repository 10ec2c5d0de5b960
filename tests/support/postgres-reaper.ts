import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findPostmaster, stopPostmaster } from '../../server/postgres/postmaster.ts'
import { removeSocketFolder } from '../../server/postgres/socket-folder.ts'

/**
 * Waits until its parent process closes its input, then stops the PostgreSQL of the given data folder and removes the
 * folder. In a session of its own, so that Ctrl+C ends the tests and not their clean-up.
 */
const path = process.argv[2]!
for await (const _ of process.stdin);

const cluster = join(path, 'postgres')
try {
  const { uid, gid } = await stat(cluster)
  const home = { user: { uid, gid, name: '', isOtherUser: false }, path, cluster, hasClusterFolder: true }
  const running = await findPostmaster(home)
  if (running !== null) {
    await stopPostmaster(running.pid, home, 'fast', 10_000)
    if (running.socketFolder !== '') await removeSocketFolder(running.socketFolder)
  }
} catch (error) {
  // The run ended before the cluster existed.
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
} finally {
  await rm(path, { recursive: true, force: true, maxRetries: 10 })
}
