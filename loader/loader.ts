import type { EmbedError, FetchSession, Frame, Mounted, Parts } from './contract.ts'

const prefix = 'data-sendwright'
/** Files to start with, and those of a session: `core` draws every widget, `parts` tells the files of what is fetched later. */
const files = import.meta.env.FILES
const version = import.meta.env.VERSION
/** Modules that came in this very file, by name. */
const joined = import.meta.env.JOINED
/** How long to wait after each time that a file did not come. */
const waitsMs = [500, 3000, 0]
/** Longest wait for one that does not come. */
const longestMs = 20_000

type Api = Record<string, unknown>
type Call = [method: string, ...given: unknown[]]

interface Place {
  name: string
  status?: 'loading' | 'ready' | 'error'
  mounted?: Mounted
  sight?: IntersectionObserver
}

const page = window as unknown as { sendwright?: Api | undefined }
const script = document.currentScript as HTMLScriptElement
const early = page.sendwright

function start(): void {
  const base = script.src.replace(/[^/]*$/, '').replace(`/${version}/`, '/') + `${version}/${import.meta.env.FOLDER}`
  const places = new Map<HTMLElement, Place>()
  const fetched: Record<string, Promise<unknown> | undefined> = {}
  const ending = new AbortController()
  let fetchSession: FetchSession | undefined

  /**
   * By a link, because `import()` takes no hash; a module that came so is not fetched again. One that did not come so would
   * never come in this page, so that it is fetched into the browser's cache first, as often as it takes.
   */
  const fetchFile = async (name: string, integrity: string): Promise<unknown> => {
    const href = base + name
    for (const waitMs of waitsMs) {
      try {
        await fetch(href, { integrity, signal: AbortSignal.timeout(longestMs) })
        return await new Promise((onload, onerror) => {
          const link = { rel: 'modulepreload', integrity, nonce: script.nonce, href, onload, onerror }
          document.head.append(Object.assign(document.createElement('link'), link))
        })
      } catch {
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
    throw (fetched[name] = undefined)
  }

  const load = async (name: string): Promise<unknown> => {
    if (joined?.[name]) return joined[name]()
    const list = files[name] ?? ((await load('parts')) as Parts).table[name]
    if (!list) return
    await Promise.all(list.map(async (file, at) => at % 2 || (fetched[file] ??= fetchFile(file, list[at + 1]!))))
    return import(base + list[0]!)
  }
  const set = (element: Element, name: string, value?: string | null) =>
    value === undefined || value === null
      ? element.removeAttribute(prefix + name)
      : element.setAttribute(prefix + name, value)

  const fire = (element: Element, name: string, detail?: unknown, cancelable?: boolean) =>
    element.dispatchEvent(
      new CustomEvent(`sendwright:${name}`, { bubbles: true, composed: true, cancelable: cancelable!, detail }),
    )

  /** Shows the element's own children, and behind them a sentence. */
  const say = (element: HTMLElement, sentence: string) => {
    try {
      const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
      root.replaceChildren(document.createElement('slot'), sentence)
    } catch {
      // An element that takes no shadow root shows its own children as they are.
    }
  }

  const mount = async (element: HTMLElement, place: Place) => {
    const isLeft = () => places.get(element) !== place
    const { name } = place
    const become = (status: Place['status'] & string, detail?: object) => {
      set(element, '-state', (place.status = status))
      if (detail) fire(element, status, detail)
    }
    become('loading')
    try {
      if (element.getAttribute(`${prefix}-load`) ?? script.dataset['load'])
        await new Promise<void>((resolve) => {
          place.sight = new IntersectionObserver((seen) => seen.at(-1)!.isIntersecting && resolve(), {
            rootMargin: '200px',
          })
          place.sight.observe(element)
        })
      place.sight?.disconnect()
      const [core, module] = (await Promise.all([load('core'), load(name)])) as [Frame, object?]
      if (isLeft()) return
      const mounted = await core.mount(element, {
        name,
        script,
        load,
        module,
        fetchSession: () => fetchSession,
        fire: (...told) => fire(element, ...told),
      })
      if (isLeft()) mounted.unmount()
      else {
        place.mounted = mounted
        become('ready', { name })
      }
    } catch (thrown) {
      if (isLeft()) return
      const error = (thrown as EmbedError | undefined)?.code
        ? (thrown as EmbedError)
        : { code: 'load', message: 'This could not be loaded. Check the connection.' }
      say(element, error.message)
      become('error', error)
    }
  }

  /** Brings an element to what its attributes say; `isChanged` when they may have changed. */
  const settle = (element: HTMLElement, isChanged?: boolean) => {
    const place = places.get(element)
    const name = element.isConnected && !ending.signal.aborted ? element.getAttribute(prefix) : null
    const isFailed = place?.status === 'error'
    if (place) {
      if (place.name === name && !(isChanged && isFailed)) {
        if (isChanged) place.mounted?.update()
        return
      }
      places.delete(element)
      place.sight?.disconnect()
      place.mounted?.unmount()
      if (isFailed) say(element, '')
      set(element, '-state')
    }
    if (name !== null) {
      const next: Place = { name }
      places.set(element, next)
      observer.observe(element, { attributes: true })
      void mount(element, next)
    }
  }

  const settleAll = (isChanged?: boolean) => places.forEach((_, element) => settle(element, isChanged))
  const scan = (root: ParentNode) => {
    const marked = `[${prefix}]`
    if ((root as Partial<Element>).matches?.(marked)) settle(root as HTMLElement)
    root.querySelectorAll<HTMLElement>(marked).forEach((element) => settle(element))
  }

  const observer = new MutationObserver((records) => {
    for (const { attributeName, target, addedNodes } of records) {
      if (attributeName && attributeName !== `${prefix}-state`) settle(target as HTMLElement, true)
      for (const node of addedNodes) if ('matches' in node) scan(node as Element)
    }
    settleAll()
  })

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
    auth: (given: FetchSession) => void (fetchSession = given),
    destroy() {
      observer.disconnect()
      ending.abort()
      settleAll()
      page.sendwright = undefined
    },
    q: { push: replay },
  }

  function update(element: HTMLElement, options: Api = {}) {
    for (const [name, value] of Object.entries(options))
      set(element, `-${name}`, typeof value === 'string' ? value : JSON.stringify(value ?? undefined))
  }

  function replay([method, ...given]: Call) {
    return (api[method] as (...all: unknown[]) => unknown)(...given)
  }

  page.sendwright = api
  // What could not be loaded is asked for again when the connection is back.
  addEventListener('online', () => settleAll(true), ending)
  ;(api['scan'] as () => void)()
  ;(early?.['q'] as { forEach?: (each: typeof replay) => void } | undefined)?.forEach?.(replay)
}

// eslint-disable-next-line no-console -- the one thing it says there
if (typeof early?.['version'] === 'string') console.warn('Sendwright is here twice; the first stays.')
// A picture named currentScript would stand in the script's place.
else if (script.tagName === 'SCRIPT') start()
