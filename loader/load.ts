import type { Parts } from './contract.ts'
import { ending, script, source } from './page.ts'

/** Files to start with, and those of a session: `core` draws every widget, `parts` lists the files that are fetched later. */
const files = import.meta.env.FILES
export const version = import.meta.env.VERSION
/** Modules inside this file, by name. */
const joined = import.meta.env.JOINED
/** Delay after each failed attempt. */
const waitsMs = [500, 3000, 0]
/** Timeout of one attempt. */
const longestMs = 20_000

// oxlint-disable-next-line typescript/no-non-null-asserted-optional-chain -- without a source nothing is loaded
const base = source?.replace(/(\/embed\/.*)?$/, `/embed/${version}/${import.meta.env.FOLDER}`)!
const fetched: Record<string, Promise<unknown> | undefined> = {}

/** Gives the module of a widget or of a file, after all that it needs has been fetched and checked by hash. */
export async function load(name: string): Promise<unknown> {
  if (joined?.[name]) return joined[name]()
  const list = files[name] ?? ((await load('parts')) as Parts).table[name]
  if (!list) return
  await Promise.all(list.map(async (file, at) => at % 2 || (fetched[file] ??= fetchFile(file, list[at + 1]!))))
  return import(base + list[0]!)
}

/**
 * By a link, because `import()` takes no hash; a module from a link is not fetched again. A link that failed fails for as
 * long as the page lives, so the file is fetched into the browser's cache first, with retries.
 */
async function fetchFile(name: string, integrity: string): Promise<unknown> {
  const href = base + name
  for (const waitMs of waitsMs) {
    try {
      await fetch(href, { integrity, signal: AbortSignal.timeout(longestMs) })
      return await new Promise((onload, onerror) => {
        const link = document.createElement('link')
        ending.signal.addEventListener('abort', () => link.remove())
        Object.assign(link, { rel: 'modulepreload', integrity, nonce: script.nonce, href, onload, onerror })
        // After the end nothing runs, and nothing waits for it.
        if (!ending.signal.aborted) document.head.append(link)
      })
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
  throw (fetched[name] = undefined)
}
