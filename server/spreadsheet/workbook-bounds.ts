import { inflateRawSync } from 'node:zlib'
import { importColumnsMaxCount } from '../../contract/audience/imports/import.limits.ts'
import { WorkbookError } from '../domain/imports/workbook.ts'

/** Bytes of all XML files of a workbook together, unpacked. */
const unpackedMaxBytes = 256 * 1024 ** 2
/** Rows times columns of a sheet: gaps between its cells take memory too. */
const areaMaxCount = 10_000_000

interface Entry {
  name: string
  isDeflated: boolean
  packed: Buffer
  unpackedBytes: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endBytes = 22
const entryBytes = 46
const localHeaderBytes = 30
const commentMaxBytes = 65_535

/** The entries that the directory of a ZIP archive names (APPNOTE.TXT 4.3). Throws WorkbookError, RangeError. */
function* entriesOf(file: Buffer): Generator<Entry> {
  const from = Math.max(0, file.length - endBytes - commentMaxBytes)
  let end = file.length - endBytes
  while (end >= from && file.readUInt32LE(end) !== endSignature) end -= 1
  if (end < from) throw new WorkbookError('unreadable')
  const count = file.readUInt16LE(end + 10)
  for (let no = 0, at = file.readUInt32LE(end + 16); no < count; no += 1) {
    if (file.readUInt32LE(at) !== entrySignature) throw new WorkbookError('unreadable')
    const nameBytes = file.readUInt16LE(at + 28)
    const local = file.readUInt32LE(at + 42)
    const start = local + localHeaderBytes + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    yield {
      name: file.toString('utf8', at + entryBytes, at + entryBytes + nameBytes),
      isDeflated: file.readUInt16LE(at + 10) === 8,
      packed: file.subarray(start, start + file.readUInt32LE(at + 20)),
      unpackedBytes: file.readUInt32LE(at + 24),
    }
    at += entryBytes + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
}

/** Refuses a workbook whose unpacked size, rows or columns exceed the limits, before it is read. Throws WorkbookError. */
export function checkBounds(file: Buffer): void {
  try {
    const entries = [...entriesOf(file)].filter(({ name }) => /\.(?:xml|rels)$/.test(name))
    const unpackedBytes = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0)
    if (unpackedBytes > unpackedMaxBytes) throw new WorkbookError('too_large')
    for (const { name, isDeflated, packed, unpackedBytes: bytes } of entries) {
      // An entry that is larger than the directory says fails here.
      const unpacked = isDeflated ? inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) }) : packed
      if (name.startsWith('xl/worksheets/')) checkArea(unpacked)
    }
  } catch (error) {
    throw error instanceof WorkbookError ? error : new WorkbookError('unreadable', error)
  }
}

const pieceBytes = 1024 ** 2
/** Cells and rows with their place; the attributes before it are few. */
const place = /<(?:\w{1,20}:)?(?:c|row)\s[^>]{0,200}?\br="([A-Z]{0,3})(\d{1,7})"/g

function checkArea(sheet: Buffer): void {
  let rows = 0
  let columns = 1
  for (let at = 0; at < sheet.length; at += pieceBytes) {
    // A piece overlaps the next one, so that no place is cut in two.
    for (const [, letters = '', digits = ''] of sheet.toString('latin1', at, at + pieceBytes + 300).matchAll(place)) {
      rows = Math.max(rows, Number(digits))
      columns = Math.max(columns, columnOf(letters))
    }
    if (rows * columns > areaMaxCount || columns > importColumnsMaxCount) throw new WorkbookError('too_large')
  }
}

/** Number of a column from 1, as AB is 28. */
const columnOf = (letters: string): number =>
  Array.from(letters, (letter) => letter.charCodeAt(0) - 64).reduce((number, digit) => number * 26 + digit, 0)
