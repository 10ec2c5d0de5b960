// Plain JavaScript for Node 20 and newer.
import { spawn } from 'node:child_process'
import { pinnedNode, root } from './install.js'

/** Runs a program as long as this process lives, and ends as it ends: signals go on to it, and it is told when we are gone. */
export function supervise(parameters) {
  const parent = process.ppid
  // The channel tells the program when this process is gone, so that nothing is left running.
  const child = spawn(pinnedNode, parameters, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  // Ctrl+C reaches the program as well; it takes signals that come together as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm that is ended by itself leaves its scripts running, and nobody would end this one.
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch) // A second signal would cut short what the first lets finish.
    child.kill('SIGTERM')
  }, 500)
  watch.unref()
  child.on('close', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
}
