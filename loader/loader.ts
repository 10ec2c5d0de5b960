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
const { currentScript } = document
// A module has no current script, and a picture of that name would stand in its place.
const script = (
  currentScript?.localName === 'script' ? currentScript : document.querySelector('script[data-embed]')
) as HTMLScriptElement | null
/** Where the tag says that the files are: one that imports the loader has no `src`. */
// eslint-disable-next-line @typescript-eslint/prefer-nullish-coalescing -- one without a `src` has an empty one
const source = script?.src || script?.dataset['api']
const early = page.sendwright

function start(script: HTMLScriptElement, source: string): void {
  const base = source.replace(/(\/embed\/.*)?$/, `/embed/${version}/${import.meta.env.FOLDER}`)
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
          const link = document.createElement('link')
          ending.signal.addEventListener('abort', () => link.remove())
          Object.assign(link, { rel: 'modulepreload', integrity, nonce: script.nonce, href, onload, onerror })
          // What comes after the end is not run, and nothing waits for it.
          if (!ending.signal.aborted) document.head.append(link)
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
    if ('matches' in root) settle(root as HTMLElement)
    root.querySelectorAll<HTMLElement>(`[${prefix}]`).forEach((element) => settle(element))
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

// eslint-disable-next-line no-console -- the two things that it says there
const say = (sentence: string) => console.warn(`Sendwright ${sentence}.`)
if (typeof early?.['version'] === 'string') say('is here twice; the first stays')
else if (script && source) start(script, source)
else say('found no script with data-embed and data-api')
