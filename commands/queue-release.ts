// `npm run queue:release [-- --cancel]`: lets go, or cancels, what a restore has frozen.
import { attachDatabase } from '../server/open-database.ts'
import { cancelFrozen, releaseQueue } from '../server/store/backup/frozen-queue.ts'
import { operate } from './run-command.ts'

await operate(['--cancel'], async ({ settings, log, flags, say }) => {
  await using attached = await attachDatabase(settings, log)
  const { pool } = attached.database
  if (flags.has('--cancel')) say(`${await cancelFrozen(pool)} mails are cancelled.`)
  else say(`${await releaseQueue(pool)} mails are released.`)
})
