/** By it a spreadsheet program knows that a CSV is UTF-8; reading an answer as text takes it away. */
const byteOrderMark = '\uFEFF'

/** Hands a CSV to the person as a download of that name. */
export function saveCsv(csv: string, name: string): void {
  saveFile([csv.startsWith(byteOrderMark) ? csv : byteOrderMark + csv], name, 'text/csv')
}

/** Hands pieces of text to the person as one download of that name. */
export function saveFile(pieces: readonly BlobPart[], name: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([...pieces], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href))
}

/** Hands a CSV that arrives in pieces to the person. Many rows are kept as blobs, which a browser writes to its disk. */
export async function saveCsvStream(csv: AsyncIterable<string>, name: string): Promise<void> {
  const pieces: Blob[] = [new Blob([byteOrderMark])]
  for await (const piece of csv) pieces.push(new Blob([piece.replace(byteOrderMark, '')]))
  saveFile(pieces, name, 'text/csv')
}
