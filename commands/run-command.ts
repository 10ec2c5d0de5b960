import { pino } from 'pino'
import { createLogger } from '../server/logger.ts'
import { readSettings, StartError, type Settings } from '../server/settings.ts'
import { DataFolderError } from '../server/postgres/data-folder-lock.ts'
import { EmbeddedPostgresError } from '../server/postgres/errors.ts'
import { KeyRingError } from '../server/store/vault/key-ring.ts'
import { BackupError } from '../server/store/backup/backup-format.ts'

/** What a command of an operator is given. */
export interface CommandContext {
  settings: Settings
  /** Lines on standard error, warnings and worse. */
  log: ReturnType<typeof createLogger>
  /** What stood after the command, in order: flags such as `--replace`, and all else. */
  flags: ReadonlySet<string>
  args: readonly string[]
  /** A line for the operator, on standard error: standard output may carry a backup. */
  print: (line: string) => void
}

const explained = [StartError, DataFolderError, EmbeddedPostgresError, KeyRingError, BackupError]
const noTable = '42P01'
/** What PostgreSQL and the system say about reaching a database; their messages name hosts and roles, no secrets. */
const reachCodes = /^(?:E[A-Z]+|28\w{3}|3D000|57P03)$/

/**
 * Runs an operator's command in the environment of the server: same settings, same sentences. Ends with status 1 and one
 * sentence where it cannot be done. `known`: the flags there are.
 */
export async function runCommand(
  known: readonly string[],
  run: (operation: CommandContext) => Promise<void>,
): Promise<void> {
  const given = process.argv.slice(2)
  const flags = new Set(given.filter((word) => word.startsWith('--')))
  const say = (line: string) => process.stderr.write(`${line}\n`)
  try {
    const unknown = [...flags].find((flag) => !known.includes(flag))
    if (unknown !== undefined) {
      throw new StartError(`There is no ${unknown} here${known.length > 0 ? `; there is ${known.join(', ')}` : ''}.`)
    }
    const settings = readSettings(process.env, process.cwd(), true)
    const log = createLogger('warn', pino.destination({ dest: 2, sync: true }))
    await run({ settings, log, flags, args: given.filter((word) => !word.startsWith('--')), print })
  } catch (error) {
    const sentence = explainError(error)
    if (sentence === null) throw error
    process.exitCode = 1
    say(sentence)
  }
}

/** One sentence for the operator, or null for what is our fault. */
export function explainError(error: unknown): string | null {
  if (explained.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === noTable) {
    return 'The database has no tables, or those of an older version: start the server once, then try again.'
  }
  if (!reachCodes.test(code)) return null
  return `The database cannot be reached (${message}): check DATABASE_URL, and that PostgreSQL runs; npm run doctor tells more.`
}
