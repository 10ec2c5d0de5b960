// `npm run soak`: the crash tests and the model of the ledger at full size, for half an hour or more. Plain
// JavaScript for Node 20 and newer.
import { installMissing, pinnedNode, run } from './install.js'

await installMissing()
process.env.SENDWRIGHT_SOAK = '1'
await run(pinnedNode, ['commands/build.ts'])
const tests = ['tests/crash', 'tests/sending/ledger-model.test.ts']
const failed = await run(pinnedNode, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...tests], {
  mayFail: true,
})
process.exit(failed || (await run(pinnedNode, ['bench/main.ts', 'million'], { mayFail: true })))
