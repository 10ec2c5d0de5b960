// `npm start`: from a fresh clone to a running server. Plain JavaScript for Node 20 and newer.
import { spawn } from 'node:child_process'
import { installMissing, pinnedNode, root, run } from './install.js'

const parent = process.ppid

try {
  await installMissing()
  await run(pinnedNode, ['commands/build.ts'])
} catch (error) {
  console.error(`Sendwright could not be prepared: ${error.message}`)
  process.exit(1)
}

// The channel tells the server when this process is gone, so that nothing is left running.
const server = spawn(pinnedNode, ['server/main.ts'], { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
// Ctrl+C reaches the server as well; it takes signals that come together as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
// npm that is ended by itself leaves its scripts running, and nobody would end this one.
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch) // A second signal would cut short what the first lets finish.
  server.kill('SIGTERM')
}, 500)
watch.unref()
server.on('close', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
