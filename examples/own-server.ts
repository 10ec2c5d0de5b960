import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A Sendwright for the examples alone, in a process of its own. */
export interface OwnServer {
  /** Its address, once it is ready; rejects where it ends instead. */
  url: Promise<string>
  /** Comes when it has ended, by itself or by `stop`. */
  ended: Promise<unknown>
  /** Lets it end what it has begun. */
  stop: () => Promise<void>
}

const root = join(import.meta.dirname, '..')

/**
 * Starts the built server on an embedded database with the sandbox on, on any port that is free. What it has to say of
 * trouble goes to our own standard error.
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
      // Set for another one, these would make it work for that one's people.
      NODE_ENV: '',
      PUBLIC_URL: '',
      DATABASE_URL: '',
      DATABASE_DIRECT_URL: '',
      SECRET_KEY_FILE: '',
    },
    // The channel lets it end when this process is gone.
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
  url.catch(() => undefined) // Told to whoever waits for it.
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, ended, stop }
}
