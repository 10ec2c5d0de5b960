const blocks = new Set('P DIV UL OL LI H1 H2 H3 H4 H5 H6 TABLE TR CAPTION'.split(' '))

/** What is left of sanitised nodes in a mail client that shows text only: lines for blocks, addresses after links. */
export function toPlainText(node: Node): string {
  return write(node)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function write(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ')
  const inner = [...node.childNodes].map(write).join('')
  if (!(node instanceof HTMLElement)) return inner
  if (node.tagName === 'BR') return '\n'
  if (node.tagName === 'IMG') return node.getAttribute('alt') ?? ''
  if (node.tagName === 'A') return withAddress(inner, node.getAttribute('href'))
  if (node.tagName === 'LI') return `\n- ${inner.trim()}\n`
  if (node.tagName === 'TD' || node.tagName === 'TH') return `${inner} `
  return blocks.has(node.tagName) ? `\n${node.tagName === 'TR' ? '' : '\n'}${inner}\n` : inner
}

function withAddress(text: string, href: string | null): string {
  return href === null || href === text.trim() ? text : `${text} [${href.replace(/^mailto:/, '')}]`
}
