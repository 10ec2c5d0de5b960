// `npm run queue:release [-- --cancel]`: releases or cancels the deliveries frozen by a restore.
import { openOperatorDatabase } from '../server/open-database.ts'
import { cancelFrozen, releaseQueue } from '../server/store/backup/frozen-queue.ts'
import { runCommand } from './run-command.ts'
import { authorizeAll } from '../server/domain/auth/authorize.ts'

const operator = authorizeAll({ kind: 'operator', command: 'queue:release' })

await runCommand(['--cancel'], async ({ settings, log, flags, print }) => {
  await using attached = await openOperatorDatabase(settings, log)
  const { pool } = attached.database
  if (flags.has('--cancel')) print(`${await cancelFrozen(operator, pool)} mails are cancelled.`)
  else print(`${await releaseQueue(operator, pool)} mails are released.`)
})
