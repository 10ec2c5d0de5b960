import { CsvFormatError } from '../../../contract/audience/imports/csv.ts'
import { detectEncoding } from '../../../contract/audience/imports/encoding.ts'
import { message, type Message } from '../../lib/messages/message.ts'
import { TooManyRowsError } from '../../lib/recipient-rows.ts'

/** Why a file cannot be read, in words for the person who chose it. */
class FileProblem extends Error {
  readonly what: Message

  constructor(what: Message) {
    super(what.text)
    this.what = what
  }
}

/** Larger files are not read here: with any columns they have too many rows. */
const fileMaxBytes = 50 * 1024 * 1024

/** The text of a file in its encoding. Throws what `problemOf` puts into words. */
export async function readText(file: File): Promise<string> {
  if (file.size === 0) throw new FileProblem(message('The file is empty. Choose another one.'))
  if (/\.(?:xlsx?|xlsm|ods|numbers)$/i.test(file.name))
    throw new FileProblem(
      message('This is a workbook. In your spreadsheet program, save the sheet as CSV, then choose that file.'),
    )
  if (file.size > fileMaxBytes) throw new TooManyRowsError()
  const bytes = new Uint8Array(await file.arrayBuffer())
  const found = detectEncoding(bytes)
  if (found === null) throw new FileProblem(message('This is no text file. Choose a CSV, TSV or TXT file.'))
  return new TextDecoder(found.encoding).decode(bytes.subarray(found.bomBytes))
}

/** Why nothing was added, and what to do. */
export function problemOf(error: unknown, name: string): Message {
  if (error instanceof FileProblem) return error.what
  if (error instanceof TooManyRowsError)
    return message('More than 50,000 recipients at once are not possible here. Split them into several parts.')
  if (error instanceof CsvFormatError && error.problem === 'quote_unclosed')
    return message(
      'Line {line} of {name} has a quote that is never closed. Close it or remove it, then choose the file again.',
      {
        line: error.line,
        name,
      },
    )
  return message('{name} could not be read. Check the file, then choose it again.', { name })
}
