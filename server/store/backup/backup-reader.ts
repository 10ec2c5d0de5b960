import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import {
  BackupError,
  endOfRows,
  parseFooter,
  parseHeader,
  type BackupFooter,
  type BackupHeader,
} from './backup-format.ts'

const lineFeed = 0x0a
const headerMaxBytes = 1 << 20

/** Checks a backup by reading it completely. Throws BackupError if it is incomplete or damaged. */
export async function checkBackup(path: string): Promise<{ header: BackupHeader; footer: BackupFooter }> {
  const hash = createHash('sha256')
  let header: BackupHeader | null = null
  let footerLine = Buffer.alloc(0)
  for await (const block of readBlocks(path)) {
    header ??= parseHeader(block.subarray(0, block.indexOf(lineFeed)).toString())
    // The last line may be the footer, which the checksum does not cover.
    const lastStart = block.lastIndexOf(lineFeed, -2) + 1
    hash.update(footerLine).update(block.subarray(0, lastStart))
    footerLine = Buffer.from(block.subarray(lastStart))
  }
  if (header === null) throw new BackupError('The file is empty.')
  const footer = parseFooter(footerLine.toString())
  if (footer.sha256 !== hash.digest('hex')) throw new BackupError('The backup is damaged; take another one.')
  return { header, footer }
}

/**
 * The rows of each table of a checked backup, in the header's order, as input of COPY. Read each table completely
 * before the next.
 */
export async function* readTables(
  path: string,
  header: BackupHeader,
): AsyncGenerator<{
  table: BackupHeader['tables'][number]
  rows: AsyncGenerator<Buffer>
}> {
  const blocks = readBlocks(path)
  try {
    const first = await blocks.next()
    let rest = first.done === true ? Buffer.alloc(0) : first.value
    rest = rest.subarray(rest.indexOf(lineFeed) + 1)
    const rows = async function* () {
      for (;;) {
        const end = findEnd(rest)
        if (end >= 0) {
          const before = rest.subarray(0, end)
          rest = rest.subarray(end + endOfRows.length)
          if (before.length > 0) yield before
          return
        }
        if (rest.length > 0) yield rest
        const next = await blocks.next()
        if (next.done === true) throw new BackupError('The backup is cut off.')
        rest = next.value
      }
    }
    for (const table of header.tables) yield { table, rows: rows() }
  } finally {
    await blocks.return(undefined)
  }
}

/** Offset of the line that ends a table's rows; -1 if it is not in these lines. */
function findEnd(lines: Buffer): number {
  if (lines.subarray(0, endOfRows.length).equals(endOfRows)) return 0
  const found = lines.indexOf(`\n${endOfRows.toString()}`)
  return found < 0 ? -1 : found + 1
}

/** Whole lines, many at a time. */
async function* readBlocks(path: string): AsyncGenerator<Buffer, undefined> {
  let rest = Buffer.alloc(0)
  let isHeaderRead = false
  const file = createReadStream(path)
  const unpacked = createGunzip({ chunkSize: 1 << 18 })
  // File errors surface when the content is read.
  file.on('error', (error) => unpacked.destroy(error)).pipe(unpacked)
  try {
    for await (const chunk of unpacked) {
      const given = Buffer.concat([rest, chunk as Buffer])
      const end = given.lastIndexOf(lineFeed) + 1
      rest = given.subarray(end)
      if (!isHeaderRead && end === 0 && rest.length > headerMaxBytes)
        throw new BackupError('The file is not a backup of Sendwright.')
      isHeaderRead ||= end > 0
      if (end > 0) yield given.subarray(0, end)
    }
  } catch (error) {
    throw explain(error, path)
  } finally {
    file.destroy()
    unpacked.destroy()
  }
  if (rest.length > 0) throw new BackupError('The backup is cut off; take another one.')
}

function explain(error: unknown, path: string): Error {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return new BackupError('The backup is cut off; take another one.', { cause: error })
  if (code.startsWith('Z_')) return new BackupError('The file is not a backup of Sendwright.', { cause: error })
  if (code === 'ENOENT') return new BackupError(`There is no file ${path}.`, { cause: error })
  if (code === 'EACCES') return new BackupError(`The file ${path} cannot be read by this user.`, { cause: error })
  return error as Error
}
