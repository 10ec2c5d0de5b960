// Plain JavaScript for Node 20 and newer: it runs before the packages are installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url))
/** The pinned Node, once installed. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

/** Runs `npm ci` if packages are missing or differ from the lock file. */
export async function installMissing() {
  if (!isInstalled()) {
    console.log('Installing packages (this takes about half a minute, once) …')
    await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  }
  if (!existsSync(pinnedNode)) {
    // npm ignored install scripts, as configured; this one fetches the pinned Node from the same registry.
    await npm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
  }
}

/** npm writes its own copy of the lock file last, so an aborted installation has none. */
function isInstalled() {
  try {
    const wanted = readPackages(join(root, 'package-lock.json'))
    const found = readPackages(join(root, 'node_modules', '.package-lock.json'))
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '' || entry.optional === true) return true
      return found[path]?.version === entry.version
    })
  } catch {
    return false // No copy, or a partial one: the packages are not installed.
  }
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages
}

function npm(parameters) {
  const cli = process.env.npm_execpath
  const isScript = cli !== undefined && /\.c?js$/.test(cli)
  const [command, first] = isScript ? [process.execPath, [cli]] : ['npm', []]
  return run(command, [...first, ...parameters], { shell: !isScript && process.platform === 'win32' })
}

/** Runs a program and returns its exit code; throws if it failed, unless `mayFail`. */
export function run(command, parameters, { mayFail = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { cwd: root, stdio: 'inherit', ...options })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (mayFail || code === 0) resolve(code ?? 1)
      else reject(new Error(`${[command, ...parameters].join(' ')} exited with ${signal ?? `status ${code}`}`))
    })
  })
}
