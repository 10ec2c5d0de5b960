// `npm run bench`: the benches with their baselines. Plain JavaScript for Node 20 and newer.
import { installMissing, pinnedNode, run } from './install.js'

await installMissing()
process.exit(await run(pinnedNode, ['bench/main.ts', ...process.argv.slice(2)], { mayFail: true }))
