// `npm run keys:rotate`: a new key for the secrets at rest, while the server runs.
import { attachDatabase } from '../server/open-database.ts'
import { readKeyRing } from '../server/store/vault/key-ring.ts'
import { beginRotation, endRotation, prepareKey, rewrapAll } from '../server/store/vault/rotate-keys.ts'
import { openVault } from '../server/store/vault/vault-keys.ts'
import { createSecurityLog } from '../server/security-log.ts'
import { operate } from './run-command.ts'

await operate(['--prepare', '--wrap'], async ({ settings, log, flags, say }) => {
  const path = settings.secretKeyFile
  if (flags.has('--prepare')) {
    const id = await prepareKey(path)
    say(`The key ${id} stands in ${path} and seals nothing yet.`)
    say('Copy the file to every machine, then run: npm run keys:rotate')
    return
  }
  await using attached = await attachDatabase(settings, log)
  const { pool } = attached.database
  // Whether the file is the one of this database shows before it is changed.
  const vault = await openVault(pool, path)
  if (!flags.has('--wrap')) {
    const { id, isResumed } = await beginRotation(path)
    if (!isResumed) createSecurityLog(log)('sealing_key_rotated', { keyId: id })
    if (isResumed) say(`An earlier rotation, to the key ${id}, had not come to its end: going on with it.`)
  }
  const currentId = (await readKeyRing(path))?.currentId ?? ''
  const { wrappedCount, brokenCount, isComplete } = await rewrapAll(pool, vault, currentId)
  say(`${wrappedCount} secrets are under the key ${currentId} now.`)
  if (brokenCount > 0) say(`${brokenCount} open with no key of the file: their mailboxes are to be connected again.`)
  if (isComplete) await endRotation(path)
  else {
    say('Some process still seals with another copy of the key file: copy the file there, then run:')
    say('  npm run keys:rotate -- --wrap')
    process.exitCode = 1
  }
  say(`Keep a copy of ${path}. Its older keys stay in it: backups and lookups need them.`)
})
