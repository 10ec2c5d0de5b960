/**
 * A backup is one gzip stream of lines: a header (JSON), then for each table of the header its rows as PostgreSQL's COPY
 * writes them as text, closed by a line `\.`, then a footer (JSON). So it can be written and read in one go, and told
 * whole from cut off.
 */
export interface BackupHeader {
  sendwright: 1
  /** ISO 8601. */
  createdAt: string
  /** When each migration of the database was generated, in ms, oldest first. */
  migrations: number[]
  /** In an order in which rows only refer to rows that stand before them. */
  tables: { name: string; columns: string[] }[]
  /** Months of partitioned tables. */
  partitions: { name: string; parent: string; bounds: string; options: string[] }[]
}

export interface BackupFooter {
  /** By table. */
  rowCounts: Record<string, number>
  /** What sequences had come to, by name; null for one that was never used. */
  sequences: Record<string, number | null>
  /** Hex, of every byte before the footer's line. */
  sha256: string
}

/** A backup that cannot be made or restored; the message is one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Ends the rows of a table; no row can look like it, for COPY doubles a backslash. */
export const endOfRows = Buffer.from('\\.\n')

const name = /^[a-z_][a-z0-9_]*$/
const bounds = /^FOR VALUES FROM \('\d{4}-\d\d-\d\d'\) TO \('\d{4}-\d\d-\d\d'\)$/
const option = /^[a-z_]+=[a-z0-9.]+$/

/** Reads a header. Throws BackupError for anything that we would not have written: its names go into SQL. */
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

/** Reads a footer; throws BackupError where there is none. */
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
