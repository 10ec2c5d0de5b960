// `npm run backup [-- file]`: everything in the database in one file, while the server runs. `-`: to standard output.
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { openOperatorDatabase } from '../server/open-database.ts'
import { readBackup } from '../server/store/backup/backup.ts'
import { BackupError } from '../server/store/backup/backup-format.ts'
import { syncFolder } from '../server/postgres/durable-file.ts'
import { runCommand } from './run-command.ts'

await runCommand([], async ({ settings, log, args, print }) => {
  const createdAt = new Date()
  const name = args[0] ?? `sendwright-${createdAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}.backup`
  const path = resolve(name)
  if (name !== '-' && (await stat(path).catch(() => null)) !== null) {
    throw new BackupError(`${path} exists already; name another file.`)
  }
  await using attached = await openOperatorDatabase(settings, log)
  const rows = readBackup(attached.database.pool, createdAt)
  if (name === '-') {
    await pipeline(rows, createGzip(), process.stdout)
    return
  }
  const draft = `${path}.part`
  // It contains addresses and bodies of mails in plaintext.
  const file = await open(draft, 'wx', 0o600)
  try {
    await pipeline(rows, createGzip(), file.createWriteStream({ flush: true }))
    await rename(draft, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  print(`${path} (${(await stat(path)).size} bytes)`)
  print(`The key file ${settings.secretKeyFile} is not in it: keep a separate copy of that file.`)
})
