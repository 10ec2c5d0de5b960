// `npm run restore -- file [--replace]`: loads a backup into an empty database. Its queue stays frozen until it is released.
import { openOperatorDatabase } from '../server/open-database.ts'
import { BackupError } from '../server/store/backup/backup-format.ts'
import { KeyRingError, readKeyRing } from '../server/store/vault/key-ring.ts'
import { restoreBackup } from '../server/store/backup/restore.ts'
import { openVault } from '../server/store/vault/vault-keys.ts'
import { runCommand } from './run-command.ts'

await runCommand(['--replace'], async ({ settings, log, flags, args, print }) => {
  const [path] = args
  if (path === undefined) throw new BackupError('Give the backup file: npm run restore -- file')
  await using attached = await openOperatorDatabase(settings, log)
  if (attached.isServerRunning) throw new BackupError('A server runs on this data folder; stop it first.')
  const { pool } = attached.database
  const { createdAt, rowCount, ...frozen } = await restoreBackup(pool, path, flags.has('--replace'))
  print(`${rowCount} rows of ${createdAt} are back.`)
  if (frozen.unknownCount > 0) print(`${frozen.unknownCount} mails were being sent then: their state is unknown.`)
  if (frozen.pausedCount > 0) print(`${frozen.pausedCount} campaigns are paused: resume those that shall go on.`)
  if (frozen.frozenCount > 0) {
    print(`${frozen.frozenCount} mails wait. Some may have been sent after the backup was made; so choose:`)
    print('  npm run queue:release               sends them')
    print('  npm run queue:release -- --cancel   cancels them')
  }
  try {
    const ring = await readKeyRing(settings.secretKeyFile)
    if (ring === null)
      print(`Put the key file of this backup at ${settings.secretKeyFile} before you start the server.`)
    else await openVault(pool, settings.secretKeyFile)
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error
    print(error.message)
    process.exitCode = 1
  }
})
