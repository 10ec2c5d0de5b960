import { Parser } from 'htmlparser2'

/** A link of a mail with its visible text. */
export interface MailLink {
  href: string
  text: string
}

/** What the rules read of a mail. */
export interface MailFacts {
  subject: string
  html: string
  /** Visible text. */
  text: string
  links: MailLink[]
  images: { src: string; alt: string | null; width: string | null }[]
  /** Names of the elements, each once. */
  elements: Set<string>
  /** Colours of texts with the background around them. */
  contrasts: { text: string; ratio: number }[]
}

type Rgb = readonly [number, number, number]

/** What holds for the text at a place. */
interface Surroundings {
  colour: Rgb
  background: Rgb
  isHidden: boolean
  link: MailLink | null
}

const named: Readonly<Record<string, Rgb>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  silver: [192, 192, 192],
  red: [255, 0, 0],
  yellow: [255, 255, 0],
}
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const inline = new Set(['a', 'b', 'i', 'u', 's', 'em', 'strong', 'span', 'font', 'sub', 'sup', 'small'])
const hidden = new Set(['style', 'script', 'title', 'head', 'template'])
const voids = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
])

/** Reads a mail in one pass. */
export function readMail(subject: string, html: string): MailFacts {
  const facts: MailFacts = { subject, html, text: '', links: [], images: [], elements: new Set(), contrasts: [] }
  const outermost: Surroundings = { colour: black, background: white, isHidden: false, link: null }
  const stack = [outermost]
  const current = () => stack.at(-1) ?? outermost
  const parser = new Parser({
    onopentag(name, attributes) {
      const outer = current()
      facts.elements.add(name)
      if (!inline.has(name)) facts.text += ' '
      const styles = stylesOf(attributes['style'] ?? '')
      const link =
        name === 'a' && attributes['href'] !== undefined ? { href: attributes['href'].trim(), text: '' } : outer.link
      if (link !== null && link !== outer.link) facts.links.push(link)
      if (name === 'img')
        facts.images.push({
          src: attributes['src'] ?? '',
          alt: attributes['alt'] ?? null,
          width: attributes['width'] ?? null,
        })
      if (voids.has(name)) return
      stack.push({
        colour: colourOf(styles['color'] ?? attributes['color']) ?? outer.colour,
        background:
          colourOf(styles['background-color'] ?? styles['background'] ?? attributes['bgcolor']) ?? outer.background,
        isHidden: outer.isHidden || hidden.has(name) || styles['display'] === 'none',
        link,
      })
    },
    ontext(text) {
      const { colour, background, isHidden, link } = current()
      if (isHidden) return
      facts.text += text
      if (link !== null) link.text += text
      const shown = text.trim()
      if (shown !== '') facts.contrasts.push({ text: shown.slice(0, 60), ratio: contrastOf(colour, background) })
    },
    onclosetag(name) {
      if (!voids.has(name) && stack.length > 1) stack.pop()
    },
  })
  parser.end(beginningOf(html))
  return facts
}

/** Tags that are read; a mail below the size that Gmail shows has fewer. The parser takes quadratic time for nested ones. */
const tagsMaxCount = 6000

function beginningOf(html: string): string {
  let at = -1
  for (let count = 0; count <= tagsMaxCount; count += 1) {
    at = html.indexOf('<', at + 1)
    if (at < 0) return html
  }
  return html.slice(0, at)
}

function stylesOf(style: string): Record<string, string> {
  return Object.fromEntries(
    style.split(';').map((entry) => {
      const at = entry.indexOf(':')
      return [
        entry.slice(0, Math.max(0, at)).trim().toLowerCase(),
        entry
          .slice(at + 1)
          .trim()
          .toLowerCase(),
      ]
    }),
  )
}

/** Null for what is no plain colour. */
function colourOf(text: string | undefined): Rgb | null {
  const value = (text ?? '').trim().toLowerCase()
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1]
  if (hex !== undefined) {
    const full = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
    const at = (from: number) => Number.parseInt(full.slice(from, from + 2), 16)
    return [at(0), at(2), at(4)]
  }
  const rgb = /^rgb\((\d{1,3}),\s?(\d{1,3}),\s?(\d{1,3})\)$/.exec(value)
  return rgb ? [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])] : (named[value] ?? null)
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
