/** A row of a pasted table: its cells, which of them is to hold the address, and what the others say. */
export interface TableRow {
  cells: string[]
  at: number
  context: Record<string, string>
}

const variable = /^[\p{L}_][\p{L}\p{N}_.-]*$/u

/** Rows below a first line that names columns; null where the first line names none. */
export function readTable(lines: readonly string[]): TableRow[] | null {
  const [first, ...rest] = lines
  if (first === undefined || rest.length === 0 || first.includes('@')) return null
  const delimiter = ['\t', ';', ','].find((one) => first.includes(one)) ?? ','
  const headings = splitRow(first, delimiter)
  const at = headings.findIndex((heading) => /^(e-?mail|mail|address|recipient)/i.test(heading))
  if (at < 0) return null
  const names = headings.map((heading, column) => (column === at ? '' : variableName(heading)))
  return rest.map((line) => {
    const cells = splitRow(line, delimiter)
    const pairs = names.map((name, column) => [name, cells[column] ?? ''] as const)
    return { cells, at, context: Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== '')) }
  })
}

/** A heading as a merge variable: `First Name` is first_name, `firstName` stays; '' where nothing of it can be one. */
function variableName(heading: string): string {
  let name = heading.replace(/[^\p{L}\p{N}_.-]+/gu, '_').replace(/^[^\p{L}_]+/u, '')
  while (name.endsWith('_')) name = name.slice(0, -1)
  if (!variable.test(name)) return ''
  return /\p{Ll}\p{Lu}/u.test(heading) && name === heading ? name : name.toLowerCase()
}

/** The cells of a row, empty ones too; quotes around a cell go, doubled ones in it are one (RFC 4180 §2). */
function splitRow(line: string, delimiter: string): string[] {
  const cells: string[] = []
  let from = 0
  for (let at = 0, isQuoted = false; at <= line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    if (at < line.length && (isQuoted || line[at] !== delimiter)) continue
    const cell = line.slice(from, at).trim()
    cells.push(/^".*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"').trim() : cell)
    from = at + 1
  }
  return cells
}
