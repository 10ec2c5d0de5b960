import type { Options } from './contract.ts'

/** What each part that can be hidden is made of. */
export const hideable: Readonly<Record<string, string>> = {
  preview: '.side-head, .sheet, .preview-as, .blank',
  templates: '.side > button, .launch-row > button + button',
  'test-send': '.side-head > button',
  snippets: '.tools',
  from: '.row:has(.pick)',
  recipients: '.row:has(.chips)',
  subject: '.row.subject',
}
/** How each field that can be fixed becomes so, once its row is found; gives the undo. It stays there to be read. */
const fixable: Readonly<Record<string, (root: ShadowRoot) => () => void>> = {
  from: (root) => fixSelect(root.querySelector<HTMLSelectElement>('.pick select')!),
  // The entries, without the box that takes more of them.
  recipients: (root) => wear(root.querySelector('.chips')!, { role: 'group', 'aria-label': 'Recipients' }),
  subject: (root) => fixText(root.querySelector('.subject input')!),
  body: (root) => fixText(root.querySelector('.body textarea')!),
}
/** What else would change a fixed field. */
const changing: Readonly<Record<string, string>> = {
  recipients: '.entry, .chip button, .chips-head .link:last-child',
  subject: '.side > button',
  body: '.side > button, .tools',
}

/** What a root wears, and how what it fixes is let go. */
const worn = new WeakMap<ShadowRoot, { sheet: CSSStyleSheet; undo: (() => void)[] }>()

/** Hides and fixes parts of a composer inside its shadow root, as `hide` and `readonly` say; anew each time. */
export function trim(root: ShadowRoot, { hide = '', readonly = '' }: Options): void {
  const { sheet, undo } = worn.get(root) ?? { sheet: new CSSStyleSheet(), undo: [] }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  for (const letGo of undo) letGo()
  const [hidden, fixed] = [namesIn(hide), namesIn(readonly)]
  const isWithoutPreview = hidden.includes('preview')
  const gone = [...hidden.map((name) => hideable[name]), ...fixed.map((name) => changing[name])].filter(Boolean).join()
  // What is beside the preview stays: the way to the templates, and how a message fares.
  const isBare = isWithoutPreview && gone.includes('.side > button')
  sheet.replaceSync(
    [
      gone && `${gone} { display: none }`,
      isWithoutPreview && '.panes { grid-template-columns: minmax(0, 1fr) }',
      isBare && '.side:not(:has(> .delivery)) { display: none }',
    ]
      .filter(Boolean)
      .join('\n'),
  )
  const side = isWithoutPreview ? [wear(root.querySelector('.side')!, { 'aria-label': 'Templates' })] : []
  worn.set(root, { sheet, undo: [...side, ...fixed.map((name) => fixable[name]!(root))] })
}

function namesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** Puts attributes on an element; the undo puts back those that were there. */
function wear(element: Element, attributes: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(attributes).map((name) => [name, element.getAttribute(name)] as const)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return () => {
    for (const [name, value] of before) {
      if (value === null) element.removeAttribute(name)
      else element.setAttribute(name, value)
    }
  }
}

function fixText(control: HTMLInputElement | HTMLTextAreaElement): () => void {
  control.readOnly = true
  return () => void (control.readOnly = false)
}

/** There is no `readonly` for a list, and one that is disabled cannot be reached to be read. */
function fixSelect(control: HTMLSelectElement): () => void {
  const ending = new AbortController()
  const isIdle = (event: Event) => event instanceof KeyboardEvent && /^(Tab|Shift|Esc)/.test(event.key)
  const stop = (event: Event) => {
    if (!isIdle(event)) event.preventDefault()
  }
  for (const name of ['mousedown', 'keydown', 'touchstart'])
    control.addEventListener(name, stop, { signal: ending.signal, passive: false })
  const undo = wear(control, { 'aria-disabled': 'true' })
  return () => {
    ending.abort()
    undo()
  }
}
