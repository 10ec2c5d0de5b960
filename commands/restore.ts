// `npm run restore -- file [--replace]`: puts a backup into an empty database. What it would send waits to be released.
import { attachDatabase } from '../server/open-database.ts'
import { BackupError } from '../server/store/backup/backup-format.ts'
import { KeyRingError, readKeyRing } from '../server/store/vault/key-ring.ts'
import { restoreBackup } from '../server/store/backup/restore.ts'
import { openVault } from '../server/store/vault/vault-keys.ts'
import { operate } from './run-command.ts'

await operate(['--replace'], async ({ settings, log, flags, words, say }) => {
  const [path] = words
  if (path === undefined) throw new BackupError('Name the backup: npm run restore -- file')
  await using attached = await attachDatabase(settings, log)
  if (attached.isServerRunning) throw new BackupError('A server runs on this data folder; stop it first.')
  const { pool } = attached.database
  const { createdAt, rowCount, ...frozen } = await restoreBackup(pool, path, flags.has('--replace'))
  say(`${rowCount} rows of ${createdAt} are back.`)
  if (frozen.unknownCount > 0) say(`${frozen.unknownCount} mails were being sent then: their state is unknown.`)
  if (frozen.pausedCount > 0) say(`${frozen.pausedCount} campaigns are paused: resume those that shall go on.`)
  if (frozen.frozenCount > 0) {
    say(`${frozen.frozenCount} mails wait. Some may have been sent after the backup was made; so choose:`)
    say('  npm run queue:release               sends them')
    say('  npm run queue:release -- --cancel   cancels them')
  }
  try {
    const ring = await readKeyRing(settings.secretKeyFile)
    if (ring === null) say(`Put the key file of this backup at ${settings.secretKeyFile} before you start the server.`)
    else await openVault(pool, settings.secretKeyFile)
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error
    say(error.message)
    process.exitCode = 1
  }
})
