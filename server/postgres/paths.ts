import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFolder } from './data-folder-lock.ts'
import { findPackage, prepareBinaries, type Binaries } from './binaries.ts'
import { findOrCreateLocation, type ClusterLocation } from './cluster-location.ts'
import { logFileAt, type LogFile } from './log-file.ts'

/** Where the start says what it does; no secret is ever handed to it. */
interface EmbeddedLog {
  info: (fields: object, message: string) => void
  warn: (fields: object, message: string) => void
}

export interface EmbeddedOptions {
  /** Held for as long as the server is used. */
  folder: DataFolder
  log: EmbeddedLog
  /** Where the socket’s folder is made; default the system’s folder for temporary files. Too long a path gives way to /tmp. */
  runtimeDir?: string
  /** Where root keeps a cluster whose data folder PostgreSQL’s user cannot enter; default: see cluster-location.ts. */
  shared?: readonly string[]
  /** Whether it is started again where it dies while it is used. Default false. */
  keepsRunning?: boolean
  /** Tests only: nothing waits for the disk, and the role may make databases. Default false. */
  isForTests?: boolean
}

/** Where a cluster is or shall be, and with what it is worked on. */
export interface PostgresPaths {
  location: ClusterLocation
  /** Makes them ready when they are needed: a server that runs already needs none. */
  binaries: () => Promise<Binaries>
  /** Of the binaries, such as 18. */
  major: number
  logFile: LogFile
  log: EmbeddedLog
  keepsRunning: boolean
  isForTests: boolean
  /** Where the socket’s folder may be made, the best first, and its name. */
  socketBases: readonly string[]
  socketFolderName: string
}

/** Finds out where, as whom and from which binaries a data folder’s PostgreSQL runs. */
export async function resolvePaths(options: EmbeddedOptions): Promise<PostgresPaths> {
  const { folder, log } = options
  const installed = await findPackage()
  const location = await findOrCreateLocation(folder, options.shared)
  return {
    location,
    binaries: () => prepareBinaries(installed, location.user, location.path),
    major: installed.major,
    logFile: logFileAt(join(folder.path, 'postgres.log')),
    log,
    keepsRunning: options.keepsRunning ?? false,
    isForTests: options.isForTests ?? false,
    socketBases: [options.runtimeDir ?? tmpdir(), '/tmp', location.path],
    socketFolderName: `sendwright-${folder.nameFor('socket')}`,
  }
}
