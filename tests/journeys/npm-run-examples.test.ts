import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { connectBrowser, openPage } from '../support/browser.ts'
import { findProcesses } from '../support/processes.ts'
import { copyProject } from '../support/project-copy.ts'
import { startServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The preferred port of the first site. */
const firstPort = 4101
/** It builds first, and a busy machine takes longer. */
const readyTimeoutMs = 240_000

let browser: Browser
let neighbour: Server
beforeAll(async () => {
  browser = await connectBrowser()
  neighbour = createServer().listen(firstPort, '127.0.0.1')
  await once(neighbour, 'listening').catch(() => undefined) // Already in use, which has the same effect.
})
afterAll(async () => {
  await browser.close()
  neighbour.close()
})

it(
  'npm run examples builds, starts its own server and nine sites on free ports, and Ctrl+C stops all of them',
  async () => {
    await using copy = await copyProject()
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    await using examples = await startServerProcess({
      command: ['npm', 'run', 'examples'],
      cwd: copy.path,
      environment: { DATA_DIR: dataDir },
      readyTimeoutMs,
    })
    const { out } = examples.printed()
    const urls = [...out.matchAll(/^ {2}(http:\/\/localhost:\d+) /gm)].map(([, url]) => url!)
    expect(new Set(urls).size).toBe(9)
    expect(urls).not.toContain(`http://localhost:${firstPort}`)
    expect(out).toMatch(/email\s+demo@localhost\n\s+password\s+\S{8,}/)
    for (const url of urls) {
      const page = await fetch(url)
      expect(page.status).toBe(200)
      expect(await page.text()).toMatch(new RegExp(`src="${examples.url}/embed/(loader|compose)\\.js"`))
    }

    await using opened = await openPage(browser)
    await opened.page.goto(urls.at(-1)!)
    // Its mailbox is listed: the site's own back end has opened a session.
    await opened.page.locator('option', { hasText: '@localhost' }).first().waitFor({ state: 'attached' })
    // The editor loads last, and would fail once the server is gone.
    await opened.page.locator('.rich-text').waitFor()
    await opened.page.waitForLoadState('networkidle')

    // As a terminal does it: a signal to every process of the group at once.
    process.kill(-examples.child.pid!, 'SIGINT')
    await examples.end('SIGINT')
    for (const url of [...urls, examples.url]) await expect(fetch(url)).rejects.toThrow()
    expect(await findProcesses(dataDir)).toEqual([])
    expect(await findProcesses(copy.path)).toEqual([])

    // As a supervisor does it that signals only npm, with another server configured.
    await using named = await startServerProcess({ environment: { PORT: '0', DATA_DIR: dataDir } })
    await using again = await startServerProcess({
      command: ['npm', 'run', 'examples'],
      cwd: copy.path,
      environment: { DATA_DIR: dataDir, SENDWRIGHT_URL: named.url },
      readyTimeoutMs,
    })
    expect(again.url).toBe(named.url)
    await again.end('SIGTERM')
    expect(await findProcesses(copy.path)).toEqual([])
    expect((await fetch(`${named.url}/health`)).status).toBe(200)
    await named.end('SIGTERM')
  },
  2 * readyTimeoutMs,
)
