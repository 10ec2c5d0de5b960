import { pageLanguage } from '../../widgets/lib/messages/messages.ts'
import { vi } from 'vitest'
import type { Session } from '../../client/core/http.ts'
import type { Notify, Toast } from '../../widgets/lib/notify.ts'

/** A simulated page with one widget or screen in it, and a user's actions. Works with both renderers. */
export interface WidgetPage {
  readonly element: HTMLElement
  /** The root of the widget: its shadow root, or the element itself for a screen without one. */
  root(): ParentNode
  /** All readable text, with whitespace collapsed. */
  text(): string
  /** The control with this label. */
  field(label: string): HTMLInputElement
  select(label: string): HTMLSelectElement
  /** The button or link with this name. */
  button(name: string): HTMLButtonElement
  type(label: string, value: string): void
  choose(label: string, value: string): void
  press(element: Element, key: string, more?: KeyboardEventInit): void
  click(name: string): void
  /** Waits until the condition holds. */
  until(isSo: () => unknown): Promise<void>
  leave(): void
}

/** Renders into a page of its own. `mount` returns its teardown; call `leave` at the test's end. */
export function openWidget(mount: (element: HTMLElement) => () => void): WidgetPage {
  // Missing in the simulated page; the code then edits the control itself.
  Object.assign(document, { execCommand: () => false })
  correctSetRangeText(HTMLTextAreaElement)
  const element = document.createElement('div')
  document.body.append(element)
  const unmount = mount(element)
  const root = () => element.querySelector(':scope > div > div')?.shadowRoot ?? element
  const all = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)]

  function control(label: string): HTMLElement {
    const named = all('label').find((one) => one.textContent.trim() === label)
    const id = named?.getAttribute('for')
    const found = id
      ? all('input, select, textarea').find((one) => one.id === id)
      : (named?.querySelector<HTMLElement>('input') ?? all(`[aria-label="${label}"]`)[0])
    if (found === undefined) throw new Error(`No field is labelled ${label}.`)
    return found
  }

  const page: WidgetPage = {
    element,
    root,
    text: () => readable(root()).replace(/\s+/g, ' ').trim(),
    field: (label) => control(label) as HTMLInputElement,
    select: (label) => control(label) as HTMLSelectElement,
    button(name) {
      const found = all('button, a').find((one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === name)
      if (found === undefined) throw new Error(`No button is named ${name}: ${page.text()}`)
      return found as HTMLButtonElement
    },
    type(label, value) {
      const target = control(label)
      setValue(target, value)
      target.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    },
    choose(label, value) {
      const target = control(label)
      setValue(target, value)
      target.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
    },
    press(target, key, more = {}) {
      target.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more }),
      )
    },
    click: (name) => page.button(name).click(),
    async until(isSo) {
      const isSoByNow = () => {
        try {
          return isSo()
        } catch {
          return false // Its target is not rendered yet.
        }
      }
      await vi.waitUntil(isSoByNow, { interval: 5, timeout: 40_000 })
    },
    leave() {
      unmount()
      element.remove()
    },
  }
  return page
}

/** React tracks the value of each control: only the platform's setter informs it of a change. */
function setValue(control: HTMLElement, value: string): void {
  const platform = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as object, 'value')
  platform?.set?.call(control, value)
}

type SetRangeText = (this: HTMLTextAreaElement, ...given: unknown[]) => void

/** The simulated page's own calls the setter that React tracks, which then sees no change. */
function correctSetRangeText({ prototype }: typeof HTMLTextAreaElement): void {
  const simulated = Object.getOwnPropertyDescriptor(prototype, 'setRangeText')?.value as SetRangeText
  if (simulated.name === 'setRangeUntracked') return
  prototype.setRangeText = function setRangeUntracked(...given: unknown[]) {
    const tracked = Object.getOwnPropertyDescriptor(this, 'value')
    Reflect.deleteProperty(this, 'value')
    simulated.apply(this, given)
    if (tracked) Object.defineProperty(this, 'value', tracked)
  }
}

function readable(node: ParentNode): string {
  return [...node.childNodes]
    .map((child) => {
      if (child.nodeType === 3) return child.textContent ?? ''
      const element = child as HTMLElement
      return element.hidden ? '' : ` ${readable(element)} `
    })
    .join('')
}

/** A session for tests, signed in unless `token` is null. */
export function testSession(apiBase: string, token: string | null = 'at_1'): Session {
  return { apiBase, token: () => token, shared: new Map() }
}

/** Collects toasts. */
export function collectToasts(): { notify: Notify; toasts: Toast[] } {
  const toasts: Toast[] = []
  const notify: Notify = ({ kind, text, values }) => toasts.push({ kind, text: pageLanguage.t(text, values) })
  return { notify, toasts }
}
