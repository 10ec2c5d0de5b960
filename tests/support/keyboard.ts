import type { Page } from 'playwright-core'

/** The name of the focused element, in whichever shadow root it is. */
const focusedName = (page: Page) =>
  page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
    const label = element?.getAttribute('aria-label') ?? labels.map(({ textContent }) => textContent).join(' ')
    return (label || (element?.textContent ?? '')).trim()
  })

/** Presses a key until the focus is on something of this name; throws with the names in between. */
async function pressUntil(page: Page, key: string, isThere: (name: string) => boolean, wanted: string): Promise<void> {
  const seen: string[] = []
  for (let press = 0; press < 160; press++) {
    await page.keyboard.press(key)
    const found = await focusedName(page)
    if (isThere(found)) return
    seen.push(found.slice(0, 30))
  }
  throw new Error(`${key} does not come to ${wanted}: ${seen.join(' | ')}`)
}

/** Presses Tab until something of this name has the focus. */
export function tabTo(page: Page, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  return pressUntil(page, key, (found) => (typeof name === 'string' ? found === name : name.test(found)), String(name))
}

/** Presses the arrow key until an entry of a list with this name has the focus. */
export function arrowTo(page: Page, name: RegExp): Promise<void> {
  return pressUntil(page, 'ArrowDown', (found) => name.test(found), String(name))
}
