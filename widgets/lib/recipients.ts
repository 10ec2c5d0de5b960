import { addressProblems, parseAddress } from '../../contract/core/address.ts'

/** An entry of the recipients box: kept whatever it is, with what is wrong with it or null (decisions, Screens). */
export interface Recipient {
  text: string
  /** Equal for two entries that are one mailbox. */
  key: string
  problem: string | null
  /** What this recipient has of its own for the merge variables: the further columns of its row. */
  context?: Readonly<Record<string, string>>
  /** Id of the source that it came with; none where it was typed. */
  from?: string
}

/**
 * Entries of lines without columns: one address, several with separators between, or a "Name <a@b.c>" list. Drops white
 * space and empty entries; keeps the order and duplicates. `mayBeRows`: a line with one address may be a row of a table.
 */
export function readLines(lines: readonly string[], mayBeRows: boolean): Recipient[] {
  return lines
    .flatMap((line) => readLine(line, mayBeRows || line.includes('\t')))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(checkRecipient)
}

/** An entry as entered, with its problem. */
export function checkRecipient(text: string): Recipient {
  const parsed = parseAddress(text)
  return {
    text,
    key: parsed.ok ? parsed.key : text.toLowerCase(),
    problem: parsed.ok ? null : addressProblems[parsed.problem],
  }
}

function readLine(line: string, mayBeRow: boolean): string[] {
  const cells = splitCells(line)
  const addresses = cells.map(addressIn)
  const found = addresses.filter((address) => address !== null)
  if (cells.length === 1) return [found[0] ?? line]
  if (found.length === 0) return [line]
  // In a list with commas or semicolons each cell counts; a row of a table has its address and what belongs to it.
  const isRow =
    mayBeRow && found.length === 1 && cells.every((cell, at) => addresses[at] !== null || !cell.includes('@'))
  return isRow ? found : cells.map((cell, at) => addresses[at] ?? cell)
}

/** Splits at commas, semicolons and tabs outside quotes and angle brackets. */
function splitCells(line: string): string[] {
  const cells: string[] = []
  const lastClose = line.lastIndexOf('>')
  let from = 0
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (char === '"') at = quoteEnd(line, at)
    else if (char === '<' && at < lastClose) at = line.indexOf('>', at)
    else if (/[,;\t]/.test(char)) {
      cells.push(line.slice(from, at))
      from = at + 1
    }
  }
  cells.push(line.slice(from))
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
}

/** Where a quote ends, doubled quotes in it passed over; where it begins if it has no end. */
function quoteEnd(line: string, from: number): number {
  let at = line.indexOf('"', from + 1)
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2)
  return at < 0 ? from : at
}

/** The address of a cell: the cell itself, or the text in angle brackets after a name. */
export function addressIn(cell: string): string | null {
  const inner = /<([^<>]+)>\s*$/.exec(cell)?.[1] ?? cell.replace(/^"(.*)"$/, '$1')
  return parseAddress(inner).ok ? inner.trim() : null
}
