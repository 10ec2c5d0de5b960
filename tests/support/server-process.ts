import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from './processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const usualReadyTimeoutMs = 60_000

/** The server as a process of its own. Killed by `await using`, if it still runs. */
export interface ServerProcess extends AsyncDisposable {
  child: ChildProcess
  url: string
  /** Its output so far. */
  printed: () => { out: string; err: string }
  /** Sends a signal and waits for the exit; returns the exit code, or null if a signal ended it. */
  end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** The output of a server that does not start. */
export interface FailedStart {
  code: number | null
  out: string
  err: string
}

interface Options {
  environment: Record<string, string>
  /** Program and its parameters; by default the server itself. */
  command?: readonly [string, ...string[]]
  cwd?: string
  /** Timeout until it is ready, in ms: more than a minute if it builds first. */
  readyTimeoutMs?: number
  /** Run as another user. */
  uid?: number
  gid?: number
}

function launch({ environment, command, cwd = root, readyTimeoutMs: _wait, ...user }: Options) {
  const [program, ...parameters] = command ?? [process.execPath, 'server/main.ts']
  const plain = plainEnvironment()
  const child = spawn(program, parameters, {
    cwd,
    // Nothing else of the tests' environment: a developer's settings must not reach the server.
    env: { ...plain, PATH: pathWithoutPackages(plain['PATH']), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a process group of its own, as in a terminal: a signal can be sent to all of it.
    detached: true,
    ...user,
  })
  const printed = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed.err += chunk.toString()))
  const closed = once(child, 'close') as Promise<[number | null]>
  return { child, printed, closed }
}

/** The PATH of a user's shell: the directories that npm prepends would make a nested npm read other settings. */
function pathWithoutPackages(path = ''): string {
  const folders = path.split(delimiter)
  return folders.filter((folder) => !/[\\/](node_modules|node-gyp-bin)([\\/]|$)/.test(folder)).join(delimiter)
}

/** The program of `npm run worker`, for `command`. */
export const workerCommand = [process.execPath, '--max-semi-space-size=8', 'server/main.ts', 'worker'] as const

/** Starts the server, or another program, and waits until it reports that it is ready. `url` is empty for a worker. */
export async function startServerProcess(options: Options): Promise<ServerProcess> {
  const { child, printed, closed } = launch(options)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    const [code] = await closed
    return code
  }
  const ready = Promise.withResolvers<string>()
  const inspect = () => {
    const found = / is ready(?:\.| at (\S+))/.exec(printed.out)
    if (found) ready.resolve(found[1] ?? '')
  }
  child.stdout.on('data', inspect)
  void closed.then(([code]) => ready.reject(new Error(`The server ended with ${code}: ${printed.err}${printed.out}`)))
  const timer = setTimeout(
    () => ready.reject(new Error(`Not ready in time: ${printed.err}${printed.out}`)),
    options.readyTimeoutMs ?? usualReadyTimeoutMs,
  )
  try {
    const url = await ready.promise
    return {
      child,
      url,
      printed: () => printed,
      end,
      [Symbol.asyncDispose]: async () => {
        await end('SIGKILL')
      },
    }
  } catch (error) {
    await end('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Starts the server and waits for nothing. */
export function launchServer(options: Options): {
  kill: (signal: NodeJS.Signals) => void
  ended: Promise<number | null>
} {
  const { child, closed } = launch(options)
  return { kill: (signal) => child.kill(signal), ended: closed.then(([code]) => code) }
}

/** Starts the server, expects a failure, and waits for its exit. */
export async function expectStartFailure(options: Options): Promise<FailedStart> {
  const { printed, closed } = launch(options)
  const [code] = await closed
  return { code, ...printed }
}
