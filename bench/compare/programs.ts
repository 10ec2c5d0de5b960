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

/** Where programs run and how they end. */
export interface Programs {
  /**
   * Runs a program until it exits. If the signal aborts, or the program leaves processes behind, `endAll` ends them. Throws
   * CompareError if the program is missing, and the signal's reason.
   */
  run: (cwd: string, program: string, ...parameters: string[]) => Promise<ProgramResult>
}

const outputMaxChars = 2 ** 22

/** `endAll` ends all processes that programs have started. */
export function createPrograms(signal: AbortSignal, endAll: () => Promise<void>): Programs {
  const env = cleanEnvironment(process.env)
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  return {
    async run(cwd, program, ...parameters) {
      signal.throwIfAborted()
      // In a session of its own: Ctrl+C in the terminal reaches this process alone, which ends the others.
      const child = spawn(program, parameters, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      const result = { out: '', err: '' }
      child.stdout.setEncoding('utf8').on('data', (text: string) => (result.out = endOf(result.out + text)))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (result.err = endOf(result.err + text)))
      const closed = once(child, 'close')
      const exited = once(child, 'exit') as Promise<[number | null]>
      try {
        await Promise.race([exited, aborted])
      } catch (error) {
        closed.catch(() => undefined) // The same error.
        throw explainStart(program, error)
      }
      // A process that is left behind would disturb the next run, and holds the output open.
      await endAll()
      await closed
      signal.throwIfAborted()
      return { status: child.exitCode, ...result }
    },
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
