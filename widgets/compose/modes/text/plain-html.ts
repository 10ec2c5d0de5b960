/** Plain paragraphs of a text, for a message that is sent before its editor has come. Merge variables stay. */
export function plainHtml(text: string): string {
  if (text.trim() === '') return ''
  const escaped = text.replace(/[&<>]/g, (found) => `&#${found.charCodeAt(0)};`)
  return escaped
    .split('\n\n')
    .map((part) => `<p>${part.replaceAll('\n', '<br>')}</p>`)
    .join('\n')
}
