/**
 * A backup is one gzip stream of lines: a header (JSON), then for each table of the header its rows in COPY's text
 * format and a line `\.`, then a footer (JSON). It can be written and read as a stream, and a truncated file is
 * detected.
 */
export interface BackupHeader {
  sendwright: 1
  /** ISO 8601. */
  createdAt: string
  /** When each migration of the database was generated, in ms, oldest first. */
  migrations: number[]
  /** Ordered so that rows refer to earlier rows only. */
  tables: { name: string; columns: string[] }[]
  /** Months of partitioned tables. */
  partitions: { name: string; parent: string; bounds: string; options: string[] }[]
}

export interface BackupFooter {
  /** By table. */
  rowCounts: Record<string, number>
  /** Values of sequences by name; null for an unused one. */
  sequences: Record<string, number | null>
  /** Hex, of every byte before the footer's line. */
  sha256: string
}

/** A backup that cannot be made or restored; the message is one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Ends the rows of a table; no row can equal it, because COPY doubles backslashes. */
export const endOfRows = Buffer.from('\\.\n')

const name = /^[a-z_][a-z0-9_]*$/
/** Of a partition by date or by instant; PostgreSQL writes the latter in the session's time zone with its offset. */
const bounds =
  /^FOR VALUES FROM \('\d{4}-\d\d-\d\d(?: [\d:+-]{11,17})?'\) TO \('\d{4}-\d\d-\d\d(?: [\d:+-]{11,17})?'\)$/
const option = /^[a-z_]+=[a-z0-9.]+$/

/** Parses a header. Throws BackupError for any unexpected value: its names become SQL. */
export function parseHeader(line: string): BackupHeader {
  const header = parseJson(line) as Partial<BackupHeader> | null
  const { tables, partitions, migrations, createdAt } = header ?? {}
  const isOurs =
    header?.sendwright === 1 &&
    typeof createdAt === 'string' &&
    Array.isArray(migrations) &&
    migrations.every((when) => Number.isSafeInteger(when)) &&
    Array.isArray(tables) &&
    tables.every((table) => [table.name, ...table.columns].every((text) => name.test(text))) &&
    Array.isArray(partitions) &&
    partitions.every(
      (part) =>
        name.test(part.name) &&
        name.test(part.parent) &&
        bounds.test(part.bounds) &&
        part.options.every((text) => option.test(text)),
    )
  if (!isOurs) throw new BackupError('The file is not a backup of Sendwright.')
  return header as BackupHeader
}

/** Parses a footer. Throws BackupError if it is invalid. */
export function parseFooter(line: string): BackupFooter {
  const footer = parseJson(line) as Partial<BackupFooter> | null
  const isWhole =
    typeof footer?.sha256 === 'string' &&
    typeof footer.rowCounts === 'object' &&
    typeof footer.sequences === 'object' &&
    Object.entries(footer.sequences).every(([key, value]) => name.test(key) && (value === null || value >= 0))
  if (!isWhole) throw new BackupError('The backup is cut off or damaged; take another one.')
  return footer as BackupFooter
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // What the caller says of it is the better sentence.
  }
}
