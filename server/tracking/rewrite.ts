import { isVariable, readTemplate, variableKey, type TemplatePart } from '../../contract/mail/merge-variables.ts'
import { trackedLinksMaxCount, trackedUrlMaxChars, type TrackedLink } from '../domain/tracking/mail-link.ts'
import { isRedirectable } from './link.ts'
import { scanHtml } from './scan-html.ts'
import { withUtm, type UtmParameters } from './utm.ts'

/** How a message's HTML is rewritten. */
export interface RewriteRules {
  utm: UtmParameters
  /** Whether a link leads to this product itself. */
  isOwn: (url: URL) => boolean
  /** Variables whose links are never rewritten, in lower case. */
  ownVariables: ReadonlySet<string>
  /** The tracked form of a link that is equal for all recipients. */
  staticLink: (link: { no: number; url: string }) => TemplatePart[]
  /** The tracked form of a link with merge variables. */
  filledLink: (link: FilledLink) => TemplatePart
  /** The tracking image. */
  pixel: readonly TemplatePart[]
}

/** A link with merge variables, as written; entities decoded. */
export interface FilledLink {
  no: number
  parts: readonly TemplatePart[]
}

export interface Rewritten {
  html: TemplatePart[]
  links: TrackedLink[]
}

/** Noncharacters of Unicode mark the places of variables while the HTML is read. */
const open = '\uFDD0'
const close = '\uFDD1'
const placeholder = /\uFDD0(\d+)\uFDD1/
const marks = /[\uFDD0\uFDD1]/g

/** HTML with tracked links and the image. Links of other kinds, and everything else, stay as written. */
export async function rewriteHtml(content: readonly TemplatePart[], rules: RewriteRules): Promise<Rewritten> {
  const masked = content
    .map((part, at) => (typeof part === 'string' ? part.replace(marks, '') : `${open}${at}${close}`))
    .join('')
  const { links: found, pixelAt } = await scanHtml(masked)
  const links: TrackedLink[] = []
  const html: TemplatePart[] = []
  let at = 0
  const copyTo = (end: number) => {
    if (end <= at) return
    html.push(...unmask(masked.slice(at, end), content))
    at = end
  }
  let isPixelAdded = false
  const imageAt = outsideConditions(pixelAt, masked, content)
  const addPixel = () => {
    if (isPixelAdded) return
    copyTo(imageAt)
    html.push(...rules.pixel)
    isPixelAdded = true
  }
  for (const link of found) {
    if (links.length >= trackedLinksMaxCount) break
    const no = links.length + 1
    const tracked = trackLink(link.href, no, content, rules)
    if (tracked === null) continue
    if (link.start > imageAt) addPixel()
    copyTo(link.start)
    html.push(...tracked.parts)
    at = link.end
    links.push({ no, url: tracked.url, label: link.label.replaceAll(new RegExp(placeholder, 'g'), '…') })
  }
  addPixel()
  copyTo(masked.length)
  return { html: joinTexts(html), links }
}

/** The address that a click leads to: blanks around it and line breaks in it have no meaning. Null if it is not tracked. */
export function destinationOf(href: string, { isOwn, utm }: Pick<RewriteRules, 'isOwn' | 'utm'>): string | null {
  const url = withoutBreaks(href)
  if (url.length > trackedUrlMaxChars || !isRedirectable(url)) return null
  const parsed = URL.parse(url)
  if (parsed === null || isOwn(parsed)) return null
  const destination = withUtm(url, utm)
  return destination.length <= trackedUrlMaxChars ? destination : url
}

function trackLink(
  href: string,
  no: number,
  content: readonly TemplatePart[],
  rules: RewriteRules,
): { parts: TemplatePart[]; url: string } | null {
  if (!placeholder.test(href)) {
    const url = destinationOf(href, rules)
    return url === null ? null : { parts: rules.staticLink({ no, url }), url }
  }
  const parts = unmask(withoutBreaks(href), content)
  if (!isFillable(parts)) return null
  if (parts.some((part) => isVariable(part) && rules.ownVariables.has(variableKey(part.name)))) return null
  const [first] = parts
  if (typeof first === 'string' && !/^https?:\/\//i.test(first)) return null
  const url = parts.map(asWritten).join('')
  return url.length > trackedUrlMaxChars ? null : { parts: [rules.filledLink({ no, parts })], url }
}

/** Conditions begin and end inside of it. */
function isFillable(parts: readonly TemplatePart[]): boolean {
  const problems: unknown[] = []
  readTemplate(parts.map(asWritten).join(''), (problem) => problems.push(problem))
  return problems.length === 0
}

function asWritten(part: TemplatePart): string {
  if (typeof part === 'string') return part
  if (!('mark' in part)) return `{{${part.name}}}`
  return part.mark === 'if' ? `{{#if ${part.name}}}` : part.mark === 'else' ? '{{else}}' : '{{/if}}'
}

function withoutBreaks(href: string): string {
  return href
    .replaceAll(/[\t\n\r]/g, '')
    .replaceAll(/^[\0- ]+/g, '')
    .trimEnd()
}

function unmask(text: string, content: readonly TemplatePart[]): TemplatePart[] {
  return text.split(placeholder).flatMap((piece, index): TemplatePart[] => {
    if (index % 2 === 0) return piece === '' ? [] : [piece]
    const part = content[Number(piece)]
    return part === undefined ? [] : [part]
  })
}

/** The place itself, or the beginning of the conditional part around it. */
function outsideConditions(place: number, masked: string, content: readonly TemplatePart[]): number {
  let conditionAt: number | null = null
  for (const match of masked.slice(0, place).matchAll(new RegExp(placeholder, 'g'))) {
    const part = content[Number(match[1])]
    if (typeof part !== 'object' || !('mark' in part)) continue
    conditionAt = part.mark === 'end' ? null : (conditionAt ?? match.index)
  }
  return conditionAt ?? place
}

function joinTexts(parts: readonly TemplatePart[]): TemplatePart[] {
  const joined: TemplatePart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part
    else joined.push(part)
  }
  return joined
}
