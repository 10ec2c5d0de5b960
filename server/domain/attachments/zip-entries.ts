/** A file of a ZIP archive. */
export interface ZipEntry {
  name: string
  isEncrypted: boolean
  isDeflated: boolean
  /** The first packed bytes. */
  packed: Buffer
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endBytes = 22
const entryBytes = 46
const commentMaxBytes = 65_535
const packedMaxBytes = 1024

export const isZip = (file: Buffer): boolean =>
  file.length >= endBytes && (file.readUInt32LE(0) === localSignature || file.readUInt32LE(0) === endSignature)

/** The entries that the directory of a ZIP archive names (APPNOTE.TXT 4.3). Null where the archive is damaged. */
export function readZip(file: Buffer, maxCount: number): ZipEntry[] | 'too_many' | null {
  try {
    return entriesOf(file, maxCount)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function entriesOf(file: Buffer, maxCount: number): ZipEntry[] | 'too_many' | null {
  const from = Math.max(0, file.length - endBytes - commentMaxBytes)
  let end = file.length - endBytes
  while (end >= from && file.readUInt32LE(end) !== endSignature) end -= 1
  if (end < from) return null
  const count = file.readUInt16LE(end + 10)
  if (count > maxCount) return 'too_many'
  const entries: ZipEntry[] = []
  for (let no = 0, at = file.readUInt32LE(end + 16); no < count; no += 1) {
    if (file.readUInt32LE(at) !== entrySignature) return null
    const nameBytes = file.readUInt16LE(at + 28)
    const local = file.readUInt32LE(at + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    entries.push({
      name: file.toString('utf8', at + entryBytes, at + entryBytes + nameBytes),
      isEncrypted: (file.readUInt16LE(at + 8) & 1) === 1,
      isDeflated: file.readUInt16LE(at + 10) === 8,
      packed: file.subarray(start, start + Math.min(packedMaxBytes, file.readUInt32LE(at + 20))),
    })
    at += entryBytes + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

const blockBytes = 512

/** Names and first bytes of the entries of a TAR archive (POSIX ustar). Null where the file is none. */
export function readTar(file: Buffer, maxCount: number): { name: string; start: Buffer }[] | 'too_many' | null {
  if (file.toString('latin1', 257, 262) !== 'ustar') return null
  const entries: { name: string; start: Buffer }[] = []
  for (let at = 0; at + blockBytes <= file.length && file[at] !== 0;) {
    if (entries.length >= maxCount) return 'too_many'
    const text = (from: number, length: number) =>
      file.toString('utf8', at + from, at + from + length).split('\0', 1)[0] ?? ''
    const bytes = Number.parseInt(text(124, 12), 8) || 0
    entries.push({ name: text(0, 100), start: file.subarray(at + blockBytes, at + blockBytes + Math.min(bytes, 64)) })
    at += blockBytes * (1 + Math.ceil(bytes / blockBytes))
  }
  return entries
}
