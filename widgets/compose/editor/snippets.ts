const green = '#0f6b4f'

/** Text before and after the selection; `filler` replaces an empty one. Styles are inline, because mail clients ignore
 * stylesheets. */
const snippets = {
  Bold: { before: '<b>', filler: 'text', after: '</b>' },
  Colour: { before: `<span style="color: ${green}">`, filler: 'text', after: '</span>' },
  Button: {
    before: `<p><a href="https://example.com" style="background: ${green}; border-radius: 6px; color: #ffffff; display: inline-block; font-weight: bold; padding: 10px 20px; text-decoration: none">`,
    filler: 'Button',
    after: '</a></p>',
  },
  Table: {
    before: '<table cellpadding="8" border="1" style="border-collapse: collapse">\n  <tr><th>',
    filler: 'Heading',
    after: '</th><th>Heading</th></tr>\n  <tr><td>Text</td><td>Text</td></tr>\n</table>',
  },
  'Merge variable': { before: '{{', filler: 'first_name', after: ' | default: "friend"}}' },
} as const
/** Empty braces, which offer names while the caret is between them. */
const openBraces = { before: '{{', filler: '', after: '}}' }

/** The buttons of the toolbar by their names (spec §2). */
export type SnippetName = keyof typeof snippets

/**
 * Puts a snippet around what is selected and selects its inner text; where names are offered, the caret is put
 * between the braces of a merge variable. Never inside the braces of a merge variable: behind them. Through the browser's own editing
 * where it can, so that undo knows of it.
 */
export function insertSnippet(area: HTMLTextAreaElement, name: SnippetName, offersNames = false): void {
  const { before, filler, after } = offersNames && name === 'Merge variable' ? openBraces : snippets[name]
  const from = behindBraces(area.value, area.selectionStart)
  const to = Math.max(from, behindBraces(area.value, area.selectionEnd))
  const inner = area.value.slice(from, to) || filler
  const { activeElement } = area.getRootNode() as Document | ShadowRoot
  replaceText(area, before + inner + after, from, to)
  const start = from + before.length
  area.setSelectionRange(filler === '' ? start + inner.length : start, start + inner.length)
  // With the caret where it stays: what offers names looks at it.
  area.dispatchEvent(new Event('input', { bubbles: true }))
  // Another field has the focus where the snippet comes after its press.
  if (activeElement?.matches('input')) (activeElement as HTMLElement).focus()
}

/** Puts code in place of what is selected, the caret behind it; never inside the braces of a merge variable. */
export function insertCode(area: HTMLTextAreaElement, code: string): void {
  const from = behindBraces(area.value, area.selectionStart)
  replaceText(area, code, from, Math.max(from, behindBraces(area.value, area.selectionEnd)))
}

function replaceText(area: HTMLTextAreaElement, text: string, from: number, to: number): void {
  area.focus()
  area.setSelectionRange(from, to)
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps the undo history of a text box
  if (document.execCommand('insertText', false, text)) return
  area.setRangeText(text, from, to, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The place itself, or the end of the merge variable that it is inside of. */
function behindBraces(text: string, at: number): number {
  for (const { 0: variable, index } of text.matchAll(/\{{2,3}[^{}]*\}{2,3}/g)) {
    const end = index + variable.length
    if (index < at && at < end) return end
  }
  return at
}
