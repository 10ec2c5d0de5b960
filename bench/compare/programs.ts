import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'
import { CompareError } from './compare-error.ts'

/** Exit status, null if a signal ended it, and the end of each output. */
export interface ProgramResult {
  status: number | null
  out: string
  err: string
}

/** Runs programs until they exit; `endAll` ends all their processes when the signal aborts. */
export interface Programs {
  /** Throws CompareError if the program is missing, and the signal's reason once it aborts. */
  run: (cwd: string, program: string, ...parameters: string[]) => Promise<ProgramResult>
  /** The same for a program that may leave processes behind, which would disturb the next run: ends them too. */
  runAlone: Programs['run']
}

const outputMaxChars = 2 ** 22

/** `endAll` ends all processes that programs have started. */
export function createPrograms(signal: AbortSignal, endAll: () => Promise<void>): Programs {
  const env = cleanEnvironment(process.env)
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const run = async (command: readonly [string, ...string[]], cwd: string, event: 'close' | 'exit') => {
    signal.throwIfAborted()
    const [program, ...parameters] = command
    // In a session of its own: Ctrl+C in the terminal reaches this process alone, which ends the others.
    const child = spawn(program, parameters, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const result = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (result.out = endOf(result.out + text)))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (result.err = endOf(result.err + text)))
    const closed = once(child, 'close')
    try {
      await Promise.race([event === 'close' ? closed : once(child, 'exit'), aborted])
    } catch (error) {
      closed.catch(() => undefined) // The same error.
      throw explainStart(program, error)
    }
    // Processes that are left behind hold the output open.
    if (event === 'exit' || signal.aborted) await endAll()
    await closed
    signal.throwIfAborted()
    return { status: child.exitCode, ...result }
  }
  return {
    run: (cwd, ...command) => run(command, cwd, 'close'),
    runAlone: (cwd, ...command) => run(command, cwd, 'exit'),
  }
}

function explainStart(program: string, error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error
  return new CompareError(`${program} cannot be started: compare needs it in PATH.`)
}

function endOf(text: string): string {
  return text.length > outputMaxChars ? text.slice(-outputMaxChars) : text
}

/**
 * The environment of a user's shell. What npm adds for a script would lead a nested npm, and the Node of this tree, into the
 * other trees; what git adds for a hook would lead git into this repository.
 */
function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) =>
      !/^(npm_(package|lifecycle|node|execpath|command)|npm_config_(local_)?prefix|GIT_|INIT_CWD|NODE_CHANNEL)/.test(
        name,
      ),
  )
  const folders = (environment['PATH'] ?? '').split(delimiter)
  const own = /[\\/](node_modules|node-gyp-bin)([\\/]|$)/
  return { ...Object.fromEntries(kept), PATH: folders.filter((folder) => !own.test(folder)).join(delimiter) }
}
