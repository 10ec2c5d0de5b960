import { spawn } from 'node:child_process'
import { spawnIdentity, type OsUser } from './os-user.ts'

/** PostgreSQL must not see this process’s environment: PGPORT, PGDATA, LC_* and the like would change what it does. */
export const cleanEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }

/** How a program ended, and the last of what it wrote. */
export interface ProgramResult {
  status: number | null
  output: string
}

const outputMaxChars = 20_000

/**
 * Runs a program as the runner and gives what it wrote.
 * In a session of its own, so that Ctrl+C in the terminal does not reach it.
 */
export async function runProgram(
  runner: OsUser,
  program: string,
  args: readonly string[],
  input = '',
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    ...spawnIdentity(runner),
    cwd: '/',
    env: cleanEnvironment,
    detached: true,
    stdio: 'pipe',
  })
  let output = ''
  const keep = (text: string) => {
    output = (output + text).slice(-outputMaxChars)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  // A program that ends early does not read its input: how it ended says more than the broken pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('close', resolve)
  return { status: await promise, output }
}
