// `npm run soak`: the crash tests and the model of the ledger at full size, for half an hour or more. `npm run soak -- tcp`:
// all tests of the server with a PostgreSQL that is reached by DATABASE_URL. Plain JavaScript for Node 20 and newer.
import { installMissing, pinnedNode, run } from './install.js'

const [kind, ...rest] = process.argv.slice(2)
if (rest.length > 0 || (kind !== undefined && kind !== 'tcp')) {
  console.error(`“${[kind, ...rest].join(' ')}” is not a soak: write npm run soak, or npm run soak -- tcp.`)
  process.exit(2)
}

try {
  await installMissing()
  await run(pinnedNode, ['commands/build.ts'])
} catch (error) {
  console.error(`The soak did not start: ${error.message}`)
  process.exit(1)
}
process.exit(kind === 'tcp' ? await overTcp() : await fullSize())

function overTcp() {
  process.env.SENDWRIGHT_TESTS_OVER = 'tcp'
  return test('server')
}

async function fullSize() {
  process.env.SENDWRIGHT_SOAK = '1'
  const failed = await test('process', 'server', 'tests/crash', 'tests/sending/ledger-model.test.ts')
  return failed || run(pinnedNode, ['bench/main.ts', 'million'], { mayFail: true })
}

/** Runs the tests of projects, or of the paths in them. */
function test(...names) {
  const parameters = names.flatMap((name) => (name.includes('/') ? [name] : ['--project', name]))
  return run(pinnedNode, ['node_modules/vitest/vitest.mjs', 'run', ...parameters], { mayFail: true })
}
