import { execFile, spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { lockDataFolder, type DataFolder } from '../../server/postgres/data-folder-lock.ts'
import { startEmbeddedPostgres, type EmbeddedConnection, type EmbeddedPostgres } from '../../server/postgres/start.ts'
import type { EmbeddedOptions } from '../../server/postgres/paths.ts'
import type { HostMessage, HostCommand } from './embedded-host.ts'
import { temporaryFolder } from './temporary-folder.ts'

let made: Promise<{ path: string } & AsyncDisposable> | null = null

/** After each file: removes what `copyInitializedFolder` copies. */
export async function removeInitializedFolder(): Promise<void> {
  const folder = await made
  made = null
  await folder?.[Symbol.asyncDispose]()
}

/** A copy of a data folder with a database: for tests that do not cover the first start. */
export async function copyInitializedFolder(): Promise<{ path: string } & AsyncDisposable> {
  made ??= makeOnce()
  const { path } = await made
  const folder = await temporaryFolder()
  await promisify(execFile)('cp', ['-a', `${path}/.`, folder.path])
  return folder
}

async function makeOnce(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await temporaryFolder()
  await (await startPostgres(folder.path))[Symbol.asyncDispose]()
  // Each copy has a name of its own.
  await rm(join(folder.path, 'instance'))
  return folder
}

/** The process of embedded-host.ts. */
export interface Host extends AsyncDisposable {
  child: ChildProcessByStdio<null, Readable, null>
  /** Its next message. */
  read: () => Promise<HostMessage>
  kill: (signal: NodeJS.Signals) => Promise<void>
}

/** Starts a host in a process group of its own, optionally as another user. */
export function startHost(order: HostCommand, user: { uid?: number; gid?: number } = {}): Host {
  const script = fileURLToPath(new URL('embedded-host.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    ...user,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: Interface = createInterface({ input: child.stdout })
  const iterator = lines[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  return {
    child,
    read: async () => {
      const { value, done } = await iterator.next()
      if (done === true) throw new Error('the host exited without a message')
      return JSON.parse(value) as HostMessage
    },
    kill,
    [Symbol.asyncDispose]: () => kill('SIGKILL'),
  }
}

/** Whether a process runs, and is not merely a zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^State:\tZ/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** A started PostgreSQL; `await using` stops it and releases its folder. */
export interface StartedPostgres extends EmbeddedPostgres, AsyncDisposable {
  folder: DataFolder
  /** What was logged, as one text. */
  logged: () => string
}

/** Starts the PostgreSQL of a data folder in this process. Uses fsync only for tests that need it. */
export async function startPostgres(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<StartedPostgres> {
  const folder = await lockDataFolder(dataDir)
  let logged = ''
  const keep = (...words: unknown[]) => (logged += `${JSON.stringify(words)}\n`)
  try {
    const log = { info: keep, warn: keep }
    const started = await startEmbeddedPostgres({ folder, log, isForTests: true, ...options })
    const dispose = async () => {
      await started.stop()
      await folder.release()
    }
    return { ...started, folder, logged: () => logged, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await folder.release()
    throw error
  }
}

/** Runs statements on one connection and returns the rows of the last. */
export async function query<Row extends pg.QueryResultRow>(
  connection: EmbeddedConnection,
  ...statements: readonly string[]
): Promise<Row[]> {
  const client = new pg.Client(connection)
  // A server that crashes also reports it to the current statement.
  client.on('error', () => {})
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) ({ rows } = await client.query<Row>(statement))
    return rows
  } finally {
    await client.end()
  }
}
