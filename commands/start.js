// `npm start`: from a fresh clone to a running server. Plain JavaScript for Node 20 and newer.
import { installMissing, pinnedNode, run } from './install.js'
import { supervise } from './supervise.js'

try {
  await installMissing()
  await run(pinnedNode, ['commands/build.ts'])
} catch (error) {
  console.error(`Sendwright could not be prepared: ${error.message}`)
  process.exit(1)
}
supervise(['server/main.ts'])
