/**
 * A line of CSV (RFC 4180). A cell that a spreadsheet would read as a formula begins with an apostrophe, which `readCsv` takes
 * off again.
 */
export function csvLine(cells: readonly string[], { isRaw = false } = {}): string {
  return `${cells.map((cell) => csvCell(cell, isRaw)).join(',')}\r\n`
}

function csvCell(text: string, isRaw: boolean): string {
  const plain = !isRaw && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
