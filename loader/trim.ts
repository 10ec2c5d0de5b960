import { createSheet } from '../widgets/kit/sheet.ts'
import type { Options } from './contract.ts'

/** What each part that can be hidden is made of. */
const parts: Readonly<Record<string, string>> = {
  preview: '.side',
  snippets: '.tools',
  from: '.row:has(.pick)',
  recipients: '.row:has(.chips)',
  subject: '.row:has(.chips) + .row',
  templates: '.never',
}
/** Controls of the fields that can be fixed; the composer has one row for each, in this order. */
const fields: Readonly<Record<string, string>> = {
  from: '.row:has(.pick)',
  recipients: '.row:has(.chips)',
  subject: '.row:has(.chips) + .row',
  body: '.painted.body',
}

/** Hides and fixes parts of a composer inside its shadow root, as `hide` and `readonly` say. */
export function trim(root: ShadowRoot, { hide = '', readonly = '' }: Options): void {
  const names = (text: string) => text.split(/[\s,]+/).filter(Boolean)
  const hidden = names(hide).flatMap((name) => parts[name] ?? [])
  const wide = names(hide).includes('preview') ? '.panes { display: block }' : ''
  const sheet = createSheet(`${[...hidden, '.never'].join(', ')} { display: none } ${wide}`)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet()]
  for (const selector of names(readonly).flatMap((name) => fields[name] ?? [])) {
    const place = root.querySelector<HTMLElement>(selector)
    const text = place?.querySelector<HTMLInputElement>('input:not([role]), textarea')
    if (text && !place?.querySelector('.chips')) text.readOnly = true
    else if (place) place.inert = true
  }
}
