// `npm run dev`: builds and runs the server, and repeats both after a change. Plain JavaScript for Node 20 and newer.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { installMissing, pinnedNode, root, run } from './install.js'

const sources = ['client', 'contract', 'dashboard', 'library', 'loader', 'mail-design', 'server', 'widgets']
/** Editors write several files at once. */
const settleMs = 300

let child
let isEnding = false

/** Resolves when the process has exited; its shutdown completes deliveries in flight. */
function stop() {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('close', resolve)
    child.kill('SIGTERM')
  })
}

async function restart() {
  const status = await run(pinnedNode, ['commands/build.ts'], { mayFail: true })
  if (status !== 0) return console.error('The build failed. The server keeps running with the last build.')
  await stop()
  // The server detects the exit of this process by the closed channel.
  if (!isEnding)
    child = spawn(pinnedNode, ['server/main.ts'], { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
}

async function end() {
  if (isEnding) return
  isEnding = true
  await stop()
  process.exit(0)
}

await installMissing()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
let running = restart()
let timer
for (const folder of sources) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name === null || /\.test\.tsx?$/.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(() => (running = running.then(restart)), settleMs)
  })
}
