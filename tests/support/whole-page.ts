import type { Page } from 'playwright-core'

/** Notes every layout shift from the page's beginning. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = { sum: 0 }
    Object.assign(window, { notedShifts: noted })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.sum += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** How much the page has shifted so far, once what was drawn last has been counted. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    return (window as unknown as { notedShifts: { sum: number } }).notedShifts.sum
  })
}

/** Notes every event that any element of the page is made to dispatch, by name and detail, and every message it gets. */
export async function noteEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: string[] = []
    Object.assign(window, { notedEvents: noted })
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the target below
    const dispatch = EventTarget.prototype.dispatchEvent
    EventTarget.prototype.dispatchEvent = function (event) {
      noted.push(`${event.type} ${JSON.stringify((event as CustomEvent).detail ?? null)}`)
      return dispatch.call(this, event)
    }
    addEventListener('message', ({ data }) => noted.push(`message ${JSON.stringify(data)}`), true)
  })
}

/** What has been noted, each with its name first. */
export function notedEvents(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { notedEvents?: string[] }).notedEvents ?? [])
}

/** All that a script of the page could read: its HTML with every shadow root, attributes, what stands in fields, storage, cookies, names, noted events. */
export function readEverything(page: Page): Promise<string> {
  return page.evaluate(() => {
    const texts = [document.documentElement.outerHTML, document.cookie, window.name, location.href]
    const walk = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        if ('value' in element) texts.push(String(element.value))
        if (element.shadowRoot === null) continue
        texts.push(element.shadowRoot.innerHTML)
        walk(element.shadowRoot)
      }
    }
    walk(document)
    for (const storage of [localStorage, sessionStorage]) texts.push(JSON.stringify(Object.entries(storage)))
    const { sendwright } = window as unknown as { sendwright?: object }
    texts.push(JSON.stringify(sendwright ?? null))
    texts.push(...((window as unknown as { notedEvents?: string[] }).notedEvents ?? []))
    return texts.join('\n')
  })
}

/** Computed styles of the elements of a page, in the order of the document. */
export interface Styles {
  /** Width of the place they stand in. */
  widthPx: number
  elements: { name: string; styles: Record<string, string> }[]
}

/** Styles of the host's own elements, or of those inside the page's first widget. */
export function stylesOf(page: Page, whose: 'host' | 'widget'): Promise<Styles> {
  return page.evaluate((which) => {
    const element = document.querySelector('[data-sendwright]')
    const inner = element?.shadowRoot?.querySelector('div > div > div')?.shadowRoot
    const all = which === 'host' ? document.querySelectorAll('body, body *') : (inner?.querySelectorAll('*') ?? [])
    const elements = [...all].map((one) => {
      const computed = getComputedStyle(one)
      const styles = Object.fromEntries([...computed].map((name) => [name, computed.getPropertyValue(name)]))
      return { name: `${one.localName}.${one.className}`, styles }
    })
    return { widthPx: element?.getBoundingClientRect().width ?? 0, elements }
  }, whose)
}

/** Follow from where an element stands and how much is in it, not from a rule. */
const ofPlace =
  /^(width|height|inline-size|block-size|top|right|bottom|left|inset-.*|perspective-origin|transform-origin|grid-template-.*|min-block-size|x|y)$/
/** What a widget takes from the page it stands in, by contract. */
const inherited = /^(font-family|-webkit-locale|direction)$/

/** Where two pages' styles differ: element, property, both values. */
export function unlike(before: Styles, after: Styles): string[] {
  const found: string[] = []
  if (before.elements.length !== after.elements.length)
    found.push(`${before.elements.length} elements, then ${after.elements.length}`)
  before.elements.forEach(({ name, styles }, at) => {
    for (const [property, value] of Object.entries(styles)) {
      const now = after.elements[at]?.styles[property]
      if (now !== value && !ofPlace.test(property) && !inherited.test(property))
        found.push(`${name} ${property}: ${value}, then ${now ?? 'nothing'}`)
    }
  })
  return found.slice(0, 12)
}
