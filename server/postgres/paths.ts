import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFolder } from './data-folder-lock.ts'
import { findPackage, prepareBinaries, type Binaries } from './binaries.ts'
import { findOrCreateLocation, type ClusterLocation } from './cluster-location.ts'
import { logFileAt, type LogFile } from './log-file.ts'

/** Log of the start; never receives a secret. */
interface EmbeddedLog {
  info: (fields: object, message: string) => void
  warn: (fields: object, message: string) => void
}

export interface EmbeddedOptions {
  /** Locked as long as the server is used. */
  folder: DataFolder
  log: EmbeddedLog
  /** Parent of the socket’s folder; default: the system’s temporary folder. If the path is too long, /tmp. */
  runtimeDir?: string
  /** Folders for clusters whose data folder PostgreSQL’s user cannot access; default: see cluster-location.ts. */
  shared?: readonly string[]
  /** Whether the server is restarted if it crashes. Default false. */
  keepsRunning?: boolean
  /** Tests only: no fsync, and the role may create databases. Default false. */
  isForTests?: boolean
}

/** Paths and settings of an embedded PostgreSQL. */
export interface PostgresPaths {
  location: ClusterLocation
  /** Prepared on demand: a running server needs none. */
  binaries: () => Promise<Binaries>
  /** Major version of the binaries, such as 18. */
  major: number
  logFile: LogFile
  log: EmbeddedLog
  keepsRunning: boolean
  isForTests: boolean
  /** Candidates for the parent of the socket’s folder, in order of preference, and the folder’s name. */
  socketBases: readonly string[]
  socketFolderName: string
}

/** Resolves location, user and binaries of a data folder’s PostgreSQL. */
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
