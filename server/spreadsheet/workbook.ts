import { Worker } from 'node:worker_threads'
import { WorkbookError, type WorkbookProblem } from '../domain/imports/workbook.ts'

export type WorkbookAnswer = { csv: Uint8Array } | { problem: WorkbookProblem }

const threadUrl = new URL('workbook-thread.ts', import.meta.url)
const heapMaxMegabytes = 1024
const limitMs = 120_000

/** Reads the first sheets of workbooks, one after the other, each in a thread of its own. */
export function createWorkbookReader() {
  const threads = new Set<Worker>()
  let last: Promise<unknown> = Promise.resolve()

  async function read(file: Buffer): Promise<Buffer> {
    const thread = new Worker(threadUrl, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMaxMegabytes } })
    threads.add(thread)
    const answered = Promise.withResolvers<WorkbookAnswer>()
    const tooLarge = () => answered.resolve({ problem: 'too_large' })
    const timer = setTimeout(tooLarge, limitMs)
    thread.once('message', answered.resolve)
    // The thread needs more memory than it may have.
    thread.once('error', tooLarge)
    thread.once('exit', tooLarge)
    try {
      thread.postMessage(new Uint8Array(file))
      const answer = await answered.promise
      if ('problem' in answer) throw new WorkbookError(answer.problem)
      return Buffer.from(answer.csv.buffer, answer.csv.byteOffset, answer.csv.byteLength)
    } finally {
      clearTimeout(timer)
      threads.delete(thread)
      await thread.terminate()
    }
  }

  return {
    /** The first sheet of an XLSX file as CSV in UTF-8. Throws WorkbookError. */
    readWorkbook(file: Buffer): Promise<Buffer> {
      const reading = last.then(() => read(file))
      last = reading.catch(() => undefined)
      return reading
    },

    /** Ends what is being read. */
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}
