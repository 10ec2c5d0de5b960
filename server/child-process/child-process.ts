import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

interface Program {
  /** Its main file. */
  url: URL
  /** Flags of Node, such as limits of its memory. */
  flags: readonly string[]
  /** Receives its error output; null: the error output of this process. */
  errorOutput: Writable | null
}

/** Runs a program in a process of its own, once at a time, without the environment of this process. */
export function createChildProcess({ url, flags, errorOutput }: Program) {
  let child: ChildProcess | null = null
  let isClosed = false
  const hasClosed = () => isClosed

  return {
    /** Starts it with a first message, and waits until it ends. Throws if it ended with an error. */
    async run(start: object): Promise<void> {
      if (isClosed) return
      const started = fork(fileURLToPath(url), [], {
        execArgv: [...flags],
        env: {},
        stdio: ['ignore', 'ignore', errorOutput ? 'pipe' : 'inherit', 'ipc'],
      })
      child = started
      if (errorOutput) started.stderr?.pipe(errorOutput, { end: false })
      const ended = once(started, 'close') as Promise<[number | null, NodeJS.Signals | null]>
      started.send(start)
      const [code, signal] = await ended
      child = null
      if (code !== 0 && !hasClosed()) throw new Error(`The process ${url.pathname} ended with ${signal ?? code}`)
    },

    /** Asks it to end; `run` returns when it has ended. No other one is started. */
    close(): void {
      isClosed = true
      child?.kill('SIGTERM')
    },
  }
}
