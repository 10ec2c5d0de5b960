import { constants, inflateRawSync } from 'node:zlib'
import {
  brokenReason,
  holdsReason,
  kindOfBytes,
  kindOfName,
  manyReason,
  passwordReason,
  refusedKinds,
} from './refused-kinds.ts'
import { isZip, readTar, readZip, type ZipEntry } from './zip-entries.ts'

const entriesMaxCount = 10_000
/** Entries that are examined before other work gets its turn. */
const turnCount = 100
const startBytes = 64

/** Why a file cannot be attached; null where it can. By its name, its bytes and, of an archive, those of its entries. */
export async function findRefusal(filename: string, file: Buffer): Promise<string | null> {
  const kind = kindOfName(filename) ?? kindOfBytes(file)
  if (kind !== null) return refusedKinds[kind].reason
  if (isZip(file)) return findInZip(file)
  const tar = readTar(file, entriesMaxCount)
  if (tar === 'too_many') return manyReason
  return tar?.some(({ name, start }) => kindOfName(name) !== null || kindOfBytes(start) !== null) ? holdsReason : null
}

async function findInZip(file: Buffer): Promise<string | null> {
  const entries = readZip(file, entriesMaxCount)
  if (entries === null) return brokenReason
  if (entries === 'too_many') return manyReason
  for (const [no, entry] of entries.entries()) {
    if (entry.isEncrypted) return passwordReason
    if (kindOfName(entry.name) !== null || kindOfBytes(startOf(entry)) !== null) return holdsReason
    if (no % turnCount === turnCount - 1) await new Promise(setImmediate)
  }
  return null
}

/** The first bytes of an entry, unpacked. */
function startOf({ isDeflated, packed }: ZipEntry): Buffer {
  if (!isDeflated) return packed.subarray(0, startBytes)
  try {
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 2 ** 20 }).subarray(
      0,
      startBytes,
    )
  } catch {
    return Buffer.alloc(0) // Damaged, or a bomb: its name was examined, and nothing here unpacks it.
  }
}
