import type { Page } from 'playwright-core'

/** Records every layout shift from the page's start. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = { sum: 0 }
    Object.assign(window, { notedShifts: noted })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.sum += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The layout shift of the page so far, after the last rendered frame. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    return (window as unknown as { notedShifts: { sum: number } }).notedShifts.sum
  })
}

/** Records every event that the page's elements dispatch, by name and detail, and every message it receives. */
export async function recordEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: string[] = []
    Object.assign(window, { recordedEvents: noted })
    // oxlint-disable-next-line typescript/unbound-method -- called with the target below
    const dispatch = EventTarget.prototype.dispatchEvent
    EventTarget.prototype.dispatchEvent = function (event) {
      noted.push(`${event.type} ${JSON.stringify((event as CustomEvent).detail ?? null)}`)
      return dispatch.call(this, event)
    }
    addEventListener('message', ({ data }) => noted.push(`message ${JSON.stringify(data)}`), true)
  })
}

/** The recorded events, each with its name first. */
export function recordedEvents(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { recordedEvents?: string[] }).recordedEvents ?? [])
}

/**
 * Everything that a script of the page can read: its HTML with every shadow root, attributes, field values, storage, cookies, names,
 * recorded events.
 */
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
    texts.push(...((window as unknown as { recordedEvents?: string[] }).recordedEvents ?? []))
    return texts.join('\n')
  })
}

/** Rendered elements of a page, in document order. */
export interface RenderedElement {
  /**
   * The inner width of the widget's host in px, and its inputs by contract: the font, our own properties, and the background that makes it
   * light or dark.
   */
  place: { widthPx: number; style: string }
  elements: DrawnElement[]
}

interface DrawnElement {
  name: string
  /** Computed. */
  styles: Record<string, string>
  /** Left, top, width and height in px, in the page or in the widget; null for an element that is not rendered. */
  box: readonly number[] | null
}

/** The host's own elements, or those inside the page's first widget. */
export function readLayout(page: Page, whose: 'host' | 'widget'): Promise<RenderedElement> {
  return page.evaluate((which) => {
    const element = document.querySelector('[data-sendwright]')
    const inner = element?.shadowRoot?.querySelector('div > div > div')?.shadowRoot
    const all =
      which === 'host' ? document.querySelectorAll('html, body, body *') : (inner?.querySelectorAll('*') ?? [])
    const given = element && getComputedStyle(element)
    const edge = (side: string) =>
      Number.parseFloat(given?.getPropertyValue(`padding-${side}`) ?? '0') +
      Number.parseFloat(given?.getPropertyValue(`border-${side}-width`) ?? '0')
    const placeBox = element?.getBoundingClientRect() ?? new DOMRect()
    const [left, top] =
      which === 'host' ? [-scrollX, -scrollY] : [placeBox.left + edge('left'), placeBox.top + edge('top')]
    const own = /^(width|height|inline-size|block-size|.*origin|inset.*|top|right|bottom|left)$/
    const elements = [...all].map((one) => {
      const isFallback = Boolean(one.parentElement?.closest('[data-sendwright]'))
      const computed = getComputedStyle(one)
      const names = [...computed].filter((name) => !isFallback || !own.test(name))
      const rect = one.getBoundingClientRect()
      return {
        name: `${one.localName}.${one.getAttribute('class') ?? ''}`,
        styles: Object.fromEntries(names.map((name) => [name, computed.getPropertyValue(name)])),
        box:
          isFallback || rect.width + rect.height === 0
            ? null
            : [rect.left - left, rect.top - top, rect.width, rect.height].map((px) => Math.round(px * 10) / 10),
      }
    })
    const style = ['font-family', '--sendwright-accent', '--sendwright-on-accent', '--sendwright-radius']
      .map((name) => [name, given?.getPropertyValue(name) ?? ''])
      .concat([['background-color', backgroundBehind(element)]])
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}`)
    /** The opaque colour of the element or of its nearest ancestor with one; '' without one. */
    function backgroundBehind(at: Element | null): string {
      if (at === null) return ''
      const { backgroundColor } = getComputedStyle(at)
      return backgroundColor.startsWith('rgb(') ? backgroundColor : backgroundBehind(at.parentElement)
    }
    return { place: { widthPx: placeBox.width - edge('left') - edge('right'), style: style.join('; ') }, elements }
  }, whose)
}

/** Differences of two rendered pages: element, property or box, both values. */
export function diffLayouts(before: RenderedElement, after: RenderedElement): string[] {
  const found: string[] = []
  if (before.elements.length !== after.elements.length)
    found.push(`${before.elements.length} elements, then ${after.elements.length}`)
  before.elements.forEach(({ name, styles, box }, at) => {
    const now = after.elements[at]
    for (const [property, value] of Object.entries(styles)) {
      if (now?.styles[property] !== value)
        found.push(`${name} ${property}: ${value}, then ${now?.styles[property] ?? 'nothing'}`)
    }
    if (String(box) !== String(now?.box)) found.push(`${name} is at ${String(box)}, then at ${String(now?.box)}`)
  })
  return found.slice(0, 12)
}
