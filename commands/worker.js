// `npm run worker`: a sender without HTTP, on the database that DATABASE_URL names. Plain JavaScript for Node 20 and newer.
import { installMissing } from './install.js'
import { supervise } from './supervise.js'

try {
  await installMissing()
} catch (error) {
  console.error(`Sendwright could not be prepared: ${error.message}`)
  process.exit(1)
}
// Young objects live less than a second: with a larger semi-space a million mails take 356 MiB instead of 270. With a limit
// of 448 MB the old generation, of which 40 MB are alive, is collected earlier than on a machine with much memory.
supervise(['--max-semi-space-size=8', '--max-old-space-size=448', 'server/main.ts', 'worker'])
