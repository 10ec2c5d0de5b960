import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** It builds first, and a busy machine takes longer. */
const readyTimeoutMs = 240_000

it(
  'npm start builds missing files and serves, in a folder with a space; Ctrl+C or the end of npm leaves no process running',
  async () => {
    await using copy = await copyProject()
    await using folder = await temporaryFolder()
    expect(copy.path).toContain(' ')
    const dataDir = join(folder.path, 'data')
    const server = await startServerProcess({
      command: ['npm', 'start'],
      cwd: copy.path,
      environment: { PORT: '0', DATA_DIR: dataDir },
      readyTimeoutMs,
    })
    expect(server.printed().out).toMatch(/^Built dist/m)
    const page = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
    expect(script).toBeDefined()
    expect((await fetch(new URL(script!, server.url))).status).toBe(200)

    // As a terminal does it: a signal to every process of the group at once.
    process.kill(-server.child.pid!, 'SIGINT')
    await server.end('SIGINT')
    expect(await findProcesses(dataDir)).toEqual([])
    expect(await findProcesses(copy.path)).toEqual([])

    // As a supervisor does it that signals only npm.
    const again = await startServerProcess({
      command: ['npm', 'start'],
      cwd: copy.path,
      environment: { PORT: '0', DATA_DIR: dataDir },
      readyTimeoutMs,
    })
    await again.end('SIGTERM')
    expect(await findProcesses(dataDir)).toEqual([])
  },
  2 * readyTimeoutMs,
)
