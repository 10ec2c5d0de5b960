import { createHmac, randomBytes } from 'node:crypto'
import { closeSync, constants, ftruncateSync, openSync, writeSync } from 'node:fs'
import { access, link, mkdir, open, readFile, realpath, rm, stat } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { geteuid, pid, platform } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A data folder locked by this process until it is released or the process ends. */
export interface DataFolder {
  /** Absolute, without symbolic links. */
  path: string
  /** 16 hex digits for a purpose, stable across starts; secret from users who cannot read the folder. */
  nameFor: (use: string) => string
  release: () => Promise<void>
}

/** A data folder that cannot be used; the message says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

const instancePattern = /^[0-9a-f]{64}$/
const askTimeoutMs = 500
/** How long a lock without an answering holder is tried again, and how often. */
const unansweredMs = 3000
const retryMs = 50
/**
 * O_EXLOCK of `open(2)` on macOS and the BSDs: the kernel releases the lock with the file. Node has no constant for it.
 */
const exclusiveLockFlag = 0x20

/**
 * Creates the folder if needed and locks it for this process.
 * Throws DataFolderError if another process holds it or it cannot be used.
 */
export async function lockDataFolder(path: string): Promise<DataFolder> {
  try {
    // Root's PostgreSQL runs as another user, which needs to traverse the folder without reading it.
    await mkdir(path, { recursive: true, mode: geteuid?.() === 0 ? 0o711 : 0o700 })
    const real = await realpath(path)
    if (!(await stat(real)).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    await access(real, constants.R_OK | constants.W_OK | constants.X_OK)
    const instance = await readInstance(join(real, 'instance'))
    const nameFor = (use: string) => createHmac('sha256', instance).update(use).digest('hex').slice(0, 16)
    return { path: real, nameFor, release: await acquireLock(real, nameFor('lock')) }
  } catch (error) {
    throw explain(error, path)
  }
}

/** The secret from which names are derived. A copied folder has the same one, so its queue is not sent twice. */
async function readInstance(file: string): Promise<string> {
  for (;;) {
    try {
      const text = (await readFile(file, 'utf8')).trim()
      if (instancePattern.test(text)) return text
      throw new DataFolderError(`The file ${file} is damaged; delete it once no Sendwright runs on that folder.`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    const draft = `${file}.${randomBytes(6).toString('hex')}`
    try {
      const handle = await open(draft, 'wx', 0o600)
      try {
        await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
      // Unlike a rename, a link never replaces a file that a concurrent start has just created.
      await link(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      await rm(draft, { force: true })
    }
  }
}

function acquireLock(folder: string, name: string): Promise<() => Promise<void>> {
  if (platform === 'linux') return lockSocket(folder, `\0sendwright-${name}`)
  if (platform === 'win32') return lockSocket(folder, `\\\\.\\pipe\\sendwright-${name}`)
  return lockFile(folder)
}

/**
 * Locks with an abstract socket, which the kernel frees when the process ends. It answers connections with the pid. A process
 * that was killed while it started another leaves the socket to that one for a moment: a name without an answer is tried again.
 */
async function lockSocket(folder: string, name: string): Promise<() => Promise<void>> {
  const until = performance.now() + unansweredMs
  for (;;) {
    try {
      return await listen(name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      const holder = await readHolderPid(name)
      if (holder !== '' || performance.now() > until) throw lockedError(folder, holder)
      await sleep(retryMs)
    }
  }
}

/** Listens on the name; returns what frees it. Throws EADDRINUSE. */
async function listen(name: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.setTimeout(askTimeoutMs, () => socket.destroy())
    socket.unref().end(String(pid))
  })
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  server.once('error', reject)
  server.listen(name, () => resolve(undefined))
  await promise
  server.unref()
  return () =>
    new Promise((done) => {
      server.close(() => done())
    })
}

function readHolderPid(name: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = createConnection(name).setEncoding('utf8').setTimeout(askTimeoutMs)
    socket.on('data', (text: string) => {
      answer += text
      if (answer.length > 20) socket.destroy()
    })
    socket.on('timeout', () => socket.destroy())
    // The pid is optional in the message.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(answer))
  })
}

async function lockFile(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'lock')
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants
  try {
    // A plain descriptor: a FileHandle could be garbage-collected, which would release the lock.
    const descriptor = openSync(file, O_RDWR | O_CREAT | O_NONBLOCK | exclusiveLockFlag, 0o600)
    ftruncateSync(descriptor)
    writeSync(descriptor, String(pid), 0)
    return () => {
      closeSync(descriptor)
      return Promise.resolve()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    throw lockedError(folder, (await readFile(file, 'utf8')).trim())
  }
}

function lockedError(folder: string, holder: string): DataFolderError {
  const who = /^\d{1,10}$/.test(holder) ? `Another Sendwright (process ${holder})` : 'Another Sendwright'
  return new DataFolderError(
    `${who} already runs on the data folder ${folder} or a copy of it; stop that one, or set DATA_DIR to another folder.`,
  )
}

function explain(error: unknown, path: string): Error {
  if (error instanceof DataFolderError) return error
  const { code } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    EACCES: 'cannot be read and written by this user; give it to this user, or set DATA_DIR to another folder',
    EPERM: 'cannot be read and written by this user; give it to this user, or set DATA_DIR to another folder',
    EROFS: 'is on a read-only file system; set DATA_DIR to another folder',
    EEXIST: 'is not a folder; move the file, or set DATA_DIR to another folder',
    ENOTDIR: 'is not a folder; move the file, or set DATA_DIR to another folder',
    ENOSPC: 'is on a disk that is full; free some space, or set DATA_DIR to another disk',
    EDQUOT: 'is on a disk whose quota is used up; free some space, or set DATA_DIR to another disk',
  }
  const reason = code === undefined ? undefined : reasons[code]
  if (reason === undefined) {
    return new DataFolderError(`The data folder ${path} cannot be used (${String(code)}); set DATA_DIR to another.`, {
      cause: error,
    })
  }
  return new DataFolderError(`The data folder ${path} ${reason}.`, { cause: error })
}
