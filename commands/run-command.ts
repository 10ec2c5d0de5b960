import { pino } from 'pino'
import { createLogger } from '../server/logger.ts'
import { readSettings, StartError, type Settings } from '../server/settings.ts'
import { DataFolderError } from '../server/postgres/data-folder-lock.ts'
import { EmbeddedPostgresError } from '../server/postgres/errors.ts'
import { KeyRingError } from '../server/store/vault/key-ring.ts'
import { BackupError } from '../server/store/backup/backup-format.ts'

/** The context of an operator's command. */
export interface CommandContext {
  settings: Settings
  /** Writes warnings and errors to standard error. */
  log: ReturnType<typeof createLogger>
  /** The command's flags, such as `--replace`, and its other arguments in order. */
  flags: ReadonlySet<string>
  args: readonly string[]
  /** Prints a line to standard error, because standard output may contain a backup. */
  print: (line: string) => void
}

const explained = [StartError, DataFolderError, EmbeddedPostgresError, KeyRingError, BackupError]
const noTable = '42P01'
/** Error codes of failed connections to the database; their messages contain hosts and roles, but no secrets. */
const reachCodes = /^(?:E[A-Z]+|28\w{3}|3D000|57P03)$/

/**
 * Runs an operator's command with the server's settings. Expected failures end with status 1 and one sentence. `known`: the
 * supported flags.
 */
export async function runCommand(
  known: readonly string[],
  run: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const given = process.argv.slice(2)
  const flags = new Set(given.filter((argument) => argument.startsWith('--')))
  const print = (line: string) => process.stderr.write(`${line}\n`)
  try {
    const unknown = [...flags].find((flag) => !known.includes(flag))
    if (unknown !== undefined) {
      throw new StartError(
        `Unknown option ${unknown}${known.length > 0 ? `; this command has ${known.join(', ')}` : ''}.`,
      )
    }
    const settings = readSettings(process.env, process.cwd(), true)
    const log = createLogger('warn', pino.destination({ dest: 2, sync: true }))
    await run({ settings, log, flags, args: given.filter((argument) => !argument.startsWith('--')), print })
  } catch (error) {
    const sentence = explainError(error)
    if (sentence === null) throw error
    process.exitCode = 1
    print(sentence)
  }
}

/** One sentence for the operator; null for an unexpected error. */
export function explainError(error: unknown): string | null {
  if (explained.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === noTable) {
    return 'The database has no tables, or those of an older version: start the server once, then try again.'
  }
  if (!reachCodes.test(code)) return null
  return `The database cannot be reached (${message}): check DATABASE_URL and that PostgreSQL is running, or run npm run doctor.`
}
