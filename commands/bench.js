// `npm run bench`: the benches with their baselines, or one compared with that of another commit. Plain JavaScript for Node 20
// and newer.
import { installMissing, pinnedNode, run } from './install.js'
import { supervise } from './supervise.js'

const [first, ...rest] = process.argv.slice(2)

await installMissing()
// Supervised, because it removes its folders and processes when it is interrupted.
if (first === 'compare') supervise(['bench/compare/main.ts', ...rest])
else process.exit(await run(pinnedNode, ['bench/main.ts', ...process.argv.slice(2)], { mayFail: true }))
