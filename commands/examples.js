// `npm run examples`: third-party pages with widgets, and their server. Plain JavaScript for Node 20 and newer.
import { installMissing, pinnedNode, run } from './install.js'
import { supervise } from './supervise.js'

try {
  await installMissing()
  await run(pinnedNode, ['commands/build.ts'])
} catch (error) {
  console.error(`The examples could not be prepared: ${error.message}`)
  process.exit(1)
}
supervise(['examples/run.ts'])
