// `npm run worker`: a sender without HTTP, on the database that DATABASE_URL names. Plain JavaScript for Node 20 and newer.
import { spawn } from 'node:child_process'
import { installMissing, pinnedNode, root } from './install.js'

try {
  await installMissing()
} catch (error) {
  console.error(`Sendwright could not be prepared: ${error.message}`)
  process.exit(1)
}

// As in start.js: the channel and the signals reach the worker.
const worker = spawn(pinnedNode, ['server/main.ts', 'worker'], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => worker.kill(signal))
worker.on('close', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
