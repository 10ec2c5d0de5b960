const green = '#0f6b4f'

/** Text before and after what is selected, which `filler` stands in for. Styles stand on the elements, for mail clients
 * read no stylesheet. */
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

/** The buttons of the toolbar by their names (spec §2). */
export type SnippetName = keyof typeof snippets

/**
 * Puts a snippet around what is selected and selects its inner text. Through the browser's own editing where it can, so
 * that undo knows of it.
 */
export function insertSnippet(area: HTMLTextAreaElement, name: SnippetName): void {
  const { before, filler, after } = snippets[name]
  const from = area.selectionStart
  const inner = area.value.slice(from, area.selectionEnd) || filler
  const text = before + inner + after
  area.focus()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else keeps the undo history of a text box
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, from, area.selectionEnd)
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  area.setSelectionRange(from + before.length, from + before.length + inner.length)
}
