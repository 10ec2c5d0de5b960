import { version } from './load.ts'
import { auth, ending, page, prefix, set, source, type Api } from './page.ts'
import { observer, scan, settle, settleAll } from './places.ts'

type Call = [method: string, ...given: unknown[]]

const early = page.sendwright

const api: Api = {
  version,
  mount(element: HTMLElement, name: string, options?: Api) {
    update(element, options)
    set(element, '', name)
    settle(element)
  },
  unmount(element: HTMLElement) {
    set(element, '')
    settle(element)
  },
  update,
  scan(root: ParentNode = document) {
    observer.observe(root, { subtree: true, childList: true, attributeFilter: [prefix] })
    scan(root)
  },
  on(name: string, listener: EventListener) {
    document.addEventListener(`sendwright:${name}`, listener, ending)
    return () => document.removeEventListener(`sendwright:${name}`, listener)
  },
  auth,
  destroy() {
    observer.disconnect()
    ending.abort()
    settleAll()
    page.sendwright = undefined
  },
  q: { push: replay },
}

function update(element: HTMLElement, options: Api = {}): void {
  for (const [name, value] of Object.entries(options))
    set(element, `-${name}`, typeof value === 'string' ? value : JSON.stringify(value ?? undefined))
}

function replay([method, ...given]: Call): unknown {
  return (api[method] as (...all: unknown[]) => unknown)(...given)
}

// oxlint-disable-next-line no-console -- the two warnings of the loader
const warn = (sentence: string) => console.warn(`Sendwright ${sentence}.`)
if (typeof early?.['version'] === 'string') warn('is here twice; the first stays')
else if (source) {
  page.sendwright = api
  // What could not be loaded is requested again when the connection is back.
  window.addEventListener('online', () => settleAll(true), ending)
  ;(api['scan'] as () => void)()
  ;(early?.['q'] as { forEach?: (each: typeof replay) => void } | undefined)?.forEach?.(replay)
} else warn('found no script with data-embed and data-api')
