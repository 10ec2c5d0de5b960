import { addressProblems, parseAddress } from '../../contract/address.ts'

/** An entry of the recipients box: kept whatever it is, with what is wrong with it or null (decisions, Screens). */
export interface Recipient {
  text: string
  problem: string | null
}

/**
 * Reads what somebody typed or pasted: one address, a column of them, rows of a CSV, or a "Name <a@b.c>" list. Blanks go,
 * empty entries go, everything else stays in its order, repeated ones too.
 */
export function readRecipients(text: string): Recipient[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  return lines
    .flatMap((line) => readLine(line, lines.length > 1 || line.includes('\t')))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(checkRecipient)
}

function readLine(line: string, mayBeRow: boolean): string[] {
  const cells = splitCells(line)
  const addresses = cells.map(addressIn)
  const found = addresses.filter((address) => address !== null)
  if (cells.length === 1) return [found[0] ?? line]
  if (found.length === 0) return mayBeRow && isHeading(cells) ? [] : [line]
  // In a list with commas or semicolons each cell counts; a row of a table has its address and what belongs to it.
  const isRow =
    mayBeRow && found.length === 1 && cells.every((cell, at) => addresses[at] !== null || !cell.includes('@'))
  return isRow ? found : cells.map((cell, at) => addresses[at] ?? cell)
}

/** Cuts at commas, semicolons and tabs that do not stand in quotes or angle brackets. */
function splitCells(line: string): string[] {
  const cells = line.match(/(?:"(?:[^"]|"")*"|<[^>]*>|[^,;\t"<]|["<])+/g) ?? []
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
}

/** The address of a cell: the cell itself, or what stands in angle brackets after a name. */
function addressIn(cell: string): string | null {
  const inner = /<([^<>]+)>\s*$/.exec(cell)?.[1] ?? cell.replace(/^"(.*)"$/, '$1')
  return parseAddress(inner).ok ? inner.trim() : null
}

/** A first row that names columns: nobody pasted it as a recipient. */
function isHeading(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => /^"?(e-?mail|mail|address|recipient)/i.test(cell)) &&
    cells.every((cell) => !cell.includes('@'))
  )
}

function checkRecipient(text: string): Recipient {
  const parsed = parseAddress(text)
  return { text, problem: parsed.ok ? null : addressProblems[parsed.problem] }
}
