// `npm run examples`: other people's pages with widgets in them, and the server that they ask. Plain JavaScript for Node
// 20 and newer.
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
