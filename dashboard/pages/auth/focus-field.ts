/** Focuses the field of a form that has to be corrected; nothing for null. */
export function focusField(form: HTMLFormElement, name: string | null): void {
  const field = name === null ? null : form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.select()
  if (field instanceof HTMLElement) field.focus()
}
