import { parentPort } from 'node:worker_threads'
import { readSheet, type CellValue } from 'read-excel-file/universal'
import { WorkbookError } from '../domain/imports/workbook.ts'
import { checkBounds } from './workbook-bounds.ts'
import type { WorkbookAnswer } from './workbook.ts'

/** Entry point of the thread that reads a workbook: answers its bytes with the first sheet as CSV in UTF-8. */

async function answer(file: Uint8Array<ArrayBuffer>): Promise<WorkbookAnswer> {
  try {
    checkBounds(Buffer.from(file.buffer))
    const rows = await readSheet(file.buffer, { trim: false })
    const csv = Buffer.from(rows.map((cells) => `${cells.map(cellText).join(',')}\n`).join(''))
    return { csv }
  } catch (error) {
    return { problem: error instanceof WorkbookError ? error.problem : 'unreadable' }
  }
}

function cellText(value: CellValue | null): string {
  const text = value instanceof Date ? dateText(value) : String(value ?? '')
  return /^\s|[",\r\n]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The day, and the time where the cell has one. */
function dateText(date: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T')
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`
}

parentPort?.once('message', (file: Uint8Array<ArrayBuffer>) => {
  void answer(file).then((answered) => parentPort?.postMessage(answered))
})
