import { randomBytes, randomUUID } from 'node:crypto'
import type { HostedKeyRow } from '../server/domain/auth/hosted.ts'
import { formatToken, tokenBytes } from '../server/domain/auth/token.ts'
import { readSettings, StartError } from '../server/settings.ts'
import { DataFolderError } from '../server/postgres/data-folder-lock.ts'
import { EmbeddedPostgresError } from '../server/postgres/errors.ts'
import { createHostedKeyStore } from '../server/store/hosted/hosted-key.ts'
import { withOperatorDatabase } from '../server/store/backup/operator-database.ts'
import { createManageHostedKeys, HostedKeyError } from '../server/usecases/hosted/manage-hosted-keys.ts'

// `npm run hosted:keys -- …`: an operator's API keys of the hosted data backend. Reads the settings of the server.

const usage = `npm run hosted:keys -- list
npm run hosted:keys -- create read <name> [collection …]
npm run hosted:keys -- create write <name> [collection …]
npm run hosted:keys -- revoke <id>
Without a collection a key opens all of them.
`

/** SQLSTATE `undefined_table`. */
const undefinedTable = '42P01'

type Keys = ReturnType<typeof createManageHostedKeys>
/** Returns the text to print. */
type Command = (keys: Keys) => Promise<string>

try {
  const command = readCommand(process.argv.slice(2))
  if (command === null) {
    process.stderr.write(usage)
    process.exitCode = 2
  } else {
    const settings = readSettings(process.env, process.cwd(), process.stderr.isTTY)
    const text = await withOperatorDatabase(settings, (database) =>
      command(
        createManageHostedKeys({
          keys: createHostedKeyStore(database),
          newId: () => randomUUID(),
          newToken: (kind) => formatToken(kind, randomBytes(tokenBytes)),
        }),
      ),
    )
    process.stdout.write(text)
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

function readCommand([verb, ...rest]: string[]): Command | null {
  const [first, second, ...collections] = rest
  if (verb === 'list' && rest.length === 0) return async (keys) => (await keys.list()).map(describe).join('')
  if (verb === 'revoke' && first !== undefined && rest.length === 1) {
    return async (keys) => {
      await keys.revoke(first)
      return `Revoked ${first}.\n`
    }
  }
  if (verb === 'create' && (first === 'read' || first === 'write') && second !== undefined) {
    return async (keys) => {
      const { id, apiKey } = await keys.create({ kind: first, name: second, collections })
      // Only the key goes to standard output, for use in scripts.
      process.stderr.write(`Key ${id}. It is shown only once: the server stores its hash.\n`)
      return `${apiKey}\n`
    }
  }
  return null
}

function describe({ id, kind, name, collections, createdAt, revokedAt }: HostedKeyRow): string {
  const state = revokedAt === null ? 'in use' : `revoked ${revokedAt.toISOString()}`
  return `${[id, kind, collections?.join(',') ?? '*', createdAt.toISOString(), state, name].join('\t')}\n`
}

/** One sentence for the operator; unknown errors are replaced, because they may contain an address or a password. */
function explain(error: unknown): string {
  const isOurs = [StartError, DataFolderError, EmbeddedPostgresError, HostedKeyError].some(
    (kind) => error instanceof kind,
  )
  if (isOurs) return (error as Error).message
  const { code } = error as { code?: string }
  if (code === undefined) throw error
  if (code === undefinedTable) return 'The database has no tables yet: start Sendwright once, then try again.'
  return `The database cannot be used (${code}); check DATABASE_URL, and that it runs.`
}
