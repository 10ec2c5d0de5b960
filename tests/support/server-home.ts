import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { baseFolder } from './temporary-folder.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

/** A data folder for servers in processes of their own, one after the other. */
export interface ServerHome extends AsyncDisposable {
  path: string
  /** Starts a server on it, with its embedded PostgreSQL. */
  start: () => Promise<ServerProcess>
}

/**
 * Creates the folder. After `await using`, and also when the run itself is killed, the PostgreSQL of a killed server is
 * stopped and the folder removed.
 */
export async function createServerHome(environment: Record<string, string>): Promise<ServerHome> {
  const folder = await mkdtemp(join(baseFolder, 'sendwright home '))
  await chmod(folder, 0o711)
  const script = fileURLToPath(new URL('postgres-reaper.ts', import.meta.url))
  const reaper = spawn(process.execPath, [script, folder], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] })
  const started: ServerProcess[] = []
  return {
    path: folder,
    async start() {
      const server = await startServerProcess({
        environment: { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', ...environment },
      })
      started.push(server)
      return server
    },
    async [Symbol.asyncDispose]() {
      for (const server of started) await server[Symbol.asyncDispose]()
      const reaped = once(reaper, 'exit')
      reaper.stdin.end()
      await reaped
    },
  }
}
