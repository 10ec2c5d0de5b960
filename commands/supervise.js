// Plain JavaScript for Node 20 and newer.
import { spawn } from 'node:child_process'
import { pinnedNode, root } from './install.js'

/** Runs a program as a child that exits with this process: forwards signals, and closes its channel on exit. */
export function supervise(parameters) {
  const parent = process.ppid
  // The channel closes when this process exits, so that the program never runs on alone.
  const child = spawn(pinnedNode, parameters, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  // Ctrl+C reaches the program as well; it handles simultaneous signals as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm killed alone leaves its scripts running, and nothing else would stop this one.
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch) // A second signal would abort the graceful shutdown of the first.
    child.kill('SIGTERM')
  }, 500)
  watch.unref()
  child.on('close', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
}
