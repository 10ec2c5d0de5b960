// `npm test`: installs, builds and runs every check in a fresh clone. Plain JavaScript for Node 20 and newer.
import { installMissing, pinnedNode, run } from './install.js'

try {
  await installMissing()
} catch (error) {
  console.error(`The packages could not be installed: ${error.message}`)
  process.exit(1)
}
process.exit(await run(pinnedNode, ['commands/verify.ts', ...process.argv.slice(2)], { mayFail: true }))
