import type { CampaignReport } from '../../../../contract/results/report.ts'
import { linkMarkAttribute } from '../../../../widgets/lib/cut-attribute.ts'

type Link = CampaignReport['links'][number]

/** Width of the frame around a link, in px: the most clicked one has the widest. */
const frameMinPx = 2
const frameMaxPx = 6

/** An opening tag of a link, and the value of its address. */
const linkTag = /<(?:a|area)\b(?:"[^"]*"|'[^']*'|[^<>"'])*>/gi
const address = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/** The HTML with the number of each counted link in an attribute. Links are matched by their addresses, in their order. */
export function markLinks(html: string, links: readonly Link[]): string {
  const waiting = new Map<string, Link[]>()
  for (const link of links) {
    const key = keyOf(link.url)
    waiting.set(key, [...(waiting.get(key) ?? []), link])
  }
  return html.replace(linkTag, (tag) => {
    const [, double, single, bare] = address.exec(tag) ?? []
    const link = waiting.get(keyOf(decoded(double ?? single ?? bare ?? '')))?.shift()
    const name = /^<\w+/.exec(tag)?.[0] ?? ''
    return link === undefined ? tag : `${name} ${linkMarkAttribute}="${link.no}"${tag.slice(name.length)}`
  })
}

/** Adds a frame to each marked link, and a badge with its people and clicks. */
export function drawHeat(body: HTMLElement, links: readonly Link[], textOf: (link: Link) => string): void {
  const most = Math.max(1, ...links.map(({ people }) => people))
  for (const element of body.querySelectorAll<HTMLElement>(`[${linkMarkAttribute}]`)) {
    const link = links.find(({ no }) => String(no) === element.getAttribute(linkMarkAttribute))
    if (link !== undefined) mark(element, textOf(link), link.people / most)
  }
}

function mark(element: HTMLElement, text: string, share: number): void {
  const width = Math.round(frameMinPx + share * (frameMaxPx - frameMinPx))
  Object.assign(element.style, {
    outline: `${width}px solid #0e6b4f`,
    outlineOffset: '2px',
    position: 'relative',
    display: element.style.display === 'block' ? 'block' : 'inline-block',
    marginTop: '20px',
  })
  const badge = element.ownerDocument.createElement('span')
  Object.assign(badge.style, {
    position: 'absolute',
    bottom: '100%',
    insetInlineEnd: '-8px',
    marginBottom: '-7px',
    zIndex: '1',
    background: '#1c1b19',
    color: '#fff',
    borderRadius: '11px',
    padding: '0 8px',
    font: '600 12px/22px Arial,sans-serif',
    letterSpacing: '0',
    textDecoration: 'none',
    textTransform: 'none',
    whiteSpace: 'nowrap',
  })
  badge.dataset['heat'] = ''
  badge.textContent = text
  element.append(badge)
}

/** The five entities of HTML's syntax, as addresses use them. */
function decoded(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll(/&#0*39;|&apos;/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&amp;|&#0*38;/g, '&')
}

/** An address without the parameters that sending adds. */
function keyOf(text: string): string {
  const plain = text.replaceAll(/[\t\n\r]/g, '').trim()
  const url = URL.parse(plain)
  if (url === null) return plain
  for (const name of [...url.searchParams.keys()]) if (name.startsWith('utm_')) url.searchParams.delete(name)
  return url.href
}
