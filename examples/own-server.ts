import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A Sendwright server for the examples, in a process of its own. */
export interface OwnServer {
  /** Its address, once it is ready; rejects if it exits instead. */
  url: Promise<string>
  /** Resolves when it has exited, with or without `stop`. */
  ended: Promise<unknown>
  /** Stops it gracefully. */
  stop: () => Promise<void>
}

const root = join(import.meta.dirname, '..')

/**
 * Starts the built server on an embedded database with the sandbox on, on any free port. Its errors go to our own standard
 * error.
 */
export function startOwnServer(dataDir: string, environment: NodeJS.ProcessEnv): OwnServer {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      LOG_LEVEL: 'warn',
      ...environment,
      PORT: '0',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      SANDBOX: 'on',
      // Settings of another server would connect the examples to its data.
      NODE_ENV: '',
      PUBLIC_URL: '',
      DATABASE_URL: '',
      DATABASE_DIRECT_URL: '',
      SECRET_KEY_FILE: '',
    },
    // The closed channel stops it when this process exits.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'close')
  let printed = ''
  const url = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const [, address] = / is ready at (\S+)/.exec(printed) ?? []
      if (address !== undefined) resolve(address)
    })
    void ended.then(() => reject(new Error('The server of the examples could not start.')))
  })
  url.catch(() => undefined) // Reported to the caller of `ready`.
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, ended, stop }
}
