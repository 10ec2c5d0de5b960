import { spawn } from 'node:child_process'
import { spawnIdentity, type OsUser } from './os-user.ts'

/** PostgreSQL must not inherit this process’s environment: PGPORT, PGDATA, LC_* and others would change its behaviour. */
export const cleanEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' }

/** Exit status and the end of the output. */
export interface ProgramResult {
  status: number | null
  output: string
}

const outputMaxChars = 20_000

/**
 * Runs a program as the user and returns its output. It runs in a session of its own, so that Ctrl+C in the terminal does
 * not reach it.
 */
export async function runProgram(
  user: OsUser,
  program: string,
  args: readonly string[],
  input = '',
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    ...spawnIdentity(user),
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
  // A program that exits early does not read its input: its status is more useful than EPIPE.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('close', resolve)
  return { status: await promise, output }
}
