import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from './processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The result of an operator's command. */
export interface CommandResult {
  code: number | null
  out: Buffer
  err: string
}

/** Runs a file of commands/ until it exits, in an environment of its own. */
export function runCommand(
  name: string,
  parameters: readonly string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  return startCommand(name, parameters, environment).ended
}

/** Starts one, for a caller that ends it early. */
export function startCommand(
  name: string,
  parameters: readonly string[],
  environment: Record<string, string>,
): { child: ChildProcess; ended: Promise<CommandResult> } {
  const child = spawn(process.execPath, [`commands/${name}.ts`, ...parameters], {
    cwd: root,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  const ended = Promise.all([closed, buffer(child.stdout), buffer(child.stderr)])
  return { child, ended: ended.then(([[code], out, err]) => ({ code, out, err: err.toString() })) }
}
