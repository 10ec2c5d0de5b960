import type { EmbedError, Frame, Mounted } from './contract.ts'
import { load } from './load.ts'
import { ending, fetchSession, prefix, script, set } from './page.ts'

/** An element with a widget. */
interface Place {
  name: string
  status?: 'loading' | 'ready' | 'error'
  mounted?: Mounted
  sight?: IntersectionObserver
}

const places = new Map<HTMLElement, Place>()

export const observer = new MutationObserver((records) => {
  for (const { attributeName, target, addedNodes } of records) {
    if (attributeName && attributeName !== `${prefix}-state`) settle(target as HTMLElement, true)
    for (const node of addedNodes) scan(node)
  }
  settleAll()
})

/** Mounts, updates or unmounts the widget of an element by its attributes; `isChanged` when they may have changed. */
export function settle(element: HTMLElement, isChanged?: boolean): void {
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
    if (isFailed) showFallback(element, '')
    set(element, '-state')
  }
  if (name !== null) {
    const next: Place = { name }
    places.set(element, next)
    observer.observe(element, { attributes: true })
    void mount(element, next)
  }
}

export const settleAll = (isChanged?: boolean) => places.forEach((_, element) => settle(element, isChanged))

/** Settles all elements in a node; a text has none. */
export function scan(root: Partial<ParentNode>): void {
  if ('matches' in root) settle(root as HTMLElement)
  root.querySelectorAll?.<HTMLElement>(`[${prefix}]`).forEach((element) => settle(element))
}

async function mount(element: HTMLElement, place: Place): Promise<void> {
  const isLeft = () => places.get(element) !== place
  const { name } = place
  const become = (status: Place['status'] & string, detail?: object) => {
    set(element, '-state', (place.status = status))
    if (detail) fire(element, status, detail)
  }
  become('loading')
  try {
    if (element.getAttribute(`${prefix}-load`) ?? script.dataset['load']) await waitUntilVisible(element, place)
    const [core, module] = (await Promise.all([load('core'), load(name)])) as [Frame, object?]
    if (isLeft()) return
    const mounted = await core.mount(element, {
      name,
      script,
      load,
      module,
      fetchSession: () => fetchSession,
      fire: (...event) => fire(element, ...event),
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
    showFallback(element, error.message)
    become('error', error)
  }
}

function waitUntilVisible(element: Element, place: Place): Promise<void> {
  return new Promise((resolve) => {
    place.sight = new IntersectionObserver((seen) => seen.at(-1)!.isIntersecting && resolve(), {
      rootMargin: '200px',
    })
    place.sight.observe(element)
  })
}

function fire(element: Element, name: string, detail?: unknown, cancelable?: boolean): boolean {
  return element.dispatchEvent(
    new CustomEvent(`sendwright:${name}`, { bubbles: true, composed: true, cancelable: cancelable!, detail }),
  )
}

/** Shows the element's own children, and a sentence after them. */
function showFallback(element: HTMLElement, sentence: string): void {
  try {
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    root.replaceChildren(document.createElement('slot'), sentence)
  } catch {
    // An element without a shadow root shows its own children as they are.
  }
}
