type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A field with its input, and the text of its label, which is available only while it is in the page. */
export type FieldValue = [field: Field, label: string | undefined]

/** How long a page may take until its fields have their values again, in ms. */
const patienceMs = 10_000

/**
 * Restores the input of the fields of a failed page in the new fields, as if it were typed. Fields
 * are known by what they are called. Those that come later with an answer of the server are waited for, and what such an
 * answer writes into a field is replaced, until a person types in it.
 */
export function restoreFields(typed: Iterable<FieldValue>): void {
  const wanted = new Map(named(typed))
  const drawn = () =>
    named(
      Array.from(document.querySelectorAll<Field>('input, select, textarea'), (field): FieldValue => [
        field,
        field.labels?.[0]?.textContent,
      ]),
    )
  const fill = () => {
    for (const [name, field] of drawn()) {
      const before = wanted.get(name)
      if (before !== undefined) write(field, before)
    }
  }
  const release = (event: Event) => {
    if (!event.isTrusted) return
    for (const [name, field] of drawn()) if (field === event.target) wanted.delete(name)
  }
  const observer = new MutationObserver(fill)
  // React writes the value of a field into its attribute too.
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['value'] })
  document.addEventListener('input', release, true)
  setTimeout(() => {
    observer.disconnect()
    document.removeEventListener('input', release, true)
  }, patienceMs)
  fill()
}

/** Each with its kind, its name or label, and its number among those of the same name. */
function named(fields: Iterable<FieldValue>): [name: string, field: Field][] {
  const counts = new Map<string, number>()
  return [...fields].map(([field, label = '']) => {
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
  // Bypasses the setter that React installs on the field: React would ignore the value as its own.
  const prototype = Object.getPrototypeOf(field) as Field
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, before.value)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
