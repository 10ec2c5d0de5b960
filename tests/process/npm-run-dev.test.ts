import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** It builds first, and a busy machine takes longer. */
const readyTimeoutMs = 240_000

it(
  'npm run dev serves, and restarts the server after a change of its source; Ctrl+C leaves no process running',
  async () => {
    await using copy = await copyProject()
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    const server = await startServerProcess({
      command: ['npm', 'run', 'dev'],
      cwd: copy.path,
      environment: { PORT: '0', DATA_DIR: dataDir },
      readyTimeoutMs,
    })
    expect((await fetch(new URL('/health', server.url))).status).toBe(200)
    const line = 'The source was changed.'
    await appendFile(join(copy.path, 'server/main.ts'), `\nprocess.stdout.write('${line}\\n')\n`)
    await expect.poll(() => server.printed().out, { timeout: readyTimeoutMs }).toContain(line)

    process.kill(-server.child.pid!, 'SIGINT')
    await server.end('SIGINT')
    expect(await findProcesses(dataDir)).toEqual([])
  },
  2 * readyTimeoutMs,
)
