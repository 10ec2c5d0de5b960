export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** How long a page may take until its fields are there again, in ms. */
const patienceMs = 10_000

/**
 * Puts what the fields of a faulty page held into the fields that are drawn in their place, as if it were typed. Fields
 * are known by what they are called; those that come later, with an answer of the server, are waited for.
 */
export function refill(typed: Iterable<Field>): void {
  const missing = new Map(named(typed))
  const fill = () => {
    for (const [name, field] of named(document.querySelectorAll<Field>('input, select, textarea'))) {
      const before = missing.get(name)
      if (before === undefined) continue
      missing.delete(name)
      write(field, before)
    }
    if (missing.size === 0) end()
  }
  const observer = new MutationObserver(fill)
  const end = () => {
    observer.disconnect()
    clearTimeout(timer)
  }
  const timer = setTimeout(end, patienceMs)
  observer.observe(document.body, { childList: true, subtree: true })
  fill()
}

/** Each with its kind, its name or label, and its number among those of the same name. */
function named(fields: Iterable<Field>): [name: string, field: Field][] {
  const counts = new Map<string, number>()
  return [...fields].map((field) => {
    const label = field.labels?.[0]?.textContent ?? ''
    const name = [field.localName, field.type, field.name, field.getAttribute('aria-label') ?? '', label].join('|')
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return [`${name}|${count}`, field]
  })
}

function write(field: Field, before: Field): void {
  if (before instanceof HTMLInputElement && /^(checkbox|radio)$/.test(before.type)) {
    if ((field as HTMLInputElement).checked !== before.checked) field.click()
    return
  }
  if (field.value === before.value || field.type === 'file') return
  // Past React, which has put a setter of its own on the field and would take the value for what it wrote.
  const prototype = Object.getPrototypeOf(field) as Field
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, before.value)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
