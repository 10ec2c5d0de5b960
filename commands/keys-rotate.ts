// `npm run keys:rotate`: a new key for the secrets at rest, while the server runs.
import { openOperatorDatabase } from '../server/open-database.ts'
import { readKeyRing } from '../server/store/vault/key-ring.ts'
import { beginRotation, endRotation, prepareKey, rewrapAll } from '../server/store/vault/rotate-keys.ts'
import { openVault } from '../server/store/vault/vault-keys.ts'
import { createSecurityLog } from '../server/security-log.ts'
import { runCommand } from './run-command.ts'

await runCommand(['--prepare', '--wrap'], async ({ settings, log, flags, print }) => {
  const path = settings.secretKeyFile
  if (flags.has('--prepare')) {
    const id = await prepareKey(path)
    print(`The key ${id} was added to ${path} and encrypts nothing yet.`)
    print('Copy the file to every machine, then run: npm run keys:rotate')
    return
  }
  await using attached = await openOperatorDatabase(settings, log)
  const { pool } = attached.database
  // A key file of another database is detected before it is changed.
  const vault = await openVault(pool, path)
  if (!flags.has('--wrap')) {
    const { id, isResumed } = await beginRotation(path)
    if (!isResumed) createSecurityLog(log)('sealing_key_rotated', { keyId: id })
    if (isResumed) print(`Resuming an interrupted rotation to the key ${id}.`)
  }
  const currentId = (await readKeyRing(path))?.currentId ?? ''
  const { wrappedCount, brokenCount, isComplete } = await rewrapAll(pool, vault, currentId)
  print(`${wrappedCount} secrets are under the key ${currentId} now.`)
  if (brokenCount > 0) print(`${brokenCount} open with no key of the file: their mailboxes are to be connected again.`)
  if (isComplete) await endRotation(path)
  else {
    print('A process still encrypts with another copy of the key file: copy the file there, then run:')
    print('  npm run keys:rotate -- --wrap')
    process.exitCode = 1
  }
  print(`Keep a copy of ${path}. Its older keys stay in it: backups and lookups need them.`)
})
