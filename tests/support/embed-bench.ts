import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { connectBrowser } from './browser.ts'
import { sessionAnswer, startEmbedApi, startHostSite, type EmbedApi, type HostSite } from './embed-site.ts'

/** A browser, an API and a third-party site, each on its own origin, for the tests of one file. */
export interface EmbedBench {
  readonly browser: Browser
  readonly embed: EmbedApi
  readonly host: HostSite
}

/** Registers the hooks of a test file for the embed; the site serves sessions at `/session`. */
export function embedBench(): EmbedBench {
  let parts: EmbedBench
  beforeAll(async () => {
    const [browser, embed, host] = await Promise.all([connectBrowser(), startEmbedApi(), startHostSite()])
    host.on('/session', sessionAnswer())
    parts = { browser, embed, host }
  })
  afterAll(async () => {
    await parts.browser.close()
    await parts.embed[Symbol.asyncDispose]()
    await parts.host[Symbol.asyncDispose]()
  })
  return {
    get browser() {
      return parts.browser
    },
    get embed() {
      return parts.embed
    },
    get host() {
      return parts.host
    },
  }
}

/** Waits until the widgets of a page have reached a state. */
export async function waitForState(page: Page, state: 'ready' | 'error' | 'loading', count = 1): Promise<void> {
  await page.waitForFunction(
    ([wanted, many]) => document.querySelectorAll(`[data-sendwright-state="${wanted}"]`).length === many,
    [state, count] as const,
  )
}

/** The name of the embed in a page. */
export interface PageApi {
  version: string
  mount: (element: Element, name: string, options?: object) => void
  unmount: (element: Element) => void
  update: (element: Element, options: object) => void
  scan: (root?: ParentNode) => void
  on: (name: string, listener: (event: CustomEvent) => void) => () => void
  auth: (fetchSession: () => Promise<object>) => void
  destroy: () => void
  q: { push: (call: unknown[]) => void }
}

declare global {
  interface Window {
    sendwright?: PageApi
  }
}
