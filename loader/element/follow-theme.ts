/** Red, green, blue and alpha, each from 0 to 1. */
type Colour = readonly [number, number, number, number]

/** Below this luminance white can be read better than black (WCAG 2, contrast ratio). */
const middle = 0.18
/** Luminances on which every colour of the tokens can be read, without a ground of our own. */
const [darkest, lightest] = [0.022, 0.81]
const ground = 'light-dark(#faf9f6, #141412)'
const colours = /(?:rgba?|hsla?|lab|lch|oklab|oklch|color)\([^()]+\)/g

/**
 * Keeps a widget with theme `auto` as light or dark as what the page paints behind it, while that changes: by a class or an
 * attribute of any element around it, by a stylesheet, by the system, in a transition. Where the page's colour is neither
 * light nor dark, the widget gets a ground of its own, which takes no room. Returns the undo.
 */
export function follow(frame: HTMLElement): () => void {
  const ending = new AbortController()
  let isAsked = false
  const look = () => {
    isAsked = false
    if (ending.signal.aborted) return
    observer.disconnect()
    observer.observe(frame, { attributeFilter: ['class'] })
    observer.observe(document.head, { subtree: true, childList: true, characterData: true, attributes: true })
    for (const around of elementsAround(frame)) observer.observe(around, { attributes: true })
    const isAuto = frame.className === 'auto'
    const luminance = isAuto ? luminanceBehind(frame) : null
    const isOwn = luminance !== null && luminance > darkest && luminance < lightest
    frame.style.background = isOwn ? ground : ''
    frame.style.boxShadow = isOwn ? `0 0 0 12px ${ground}` : ''
    if (isAuto) frame.style.colorScheme = luminance === null ? '' : luminance < middle ? 'dark' : 'light'
  }
  // Once for all that changes together.
  const ask = () => {
    if (!isAsked) requestAnimationFrame(look)
    isAsked = true
  }
  const observer = new MutationObserver(ask)
  const options = { signal: ending.signal, capture: true, passive: true }
  for (const type of ['transitionend', 'transitioncancel', 'animationend'])
    document.addEventListener(type, ask, options)
  // A stylesheet that has come; pictures and frames change nothing.
  const onLoad = ({ target }: Event) => target instanceof HTMLLinkElement && ask()
  window.addEventListener('load', onLoad, options)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ask, options)
  look()
  return () => {
    observer.disconnect()
    ending.abort()
  }
}

/** The frame's ancestors as they are drawn in each other, through slots and shadow roots. */
function* elementsAround(frame: Element): Generator<Element> {
  let at: Node | null = frame
  while ((at = (at as Partial<Element>).assignedSlot ?? at.parentNode ?? (at as Partial<ShadowRoot>).host ?? null))
    if (at instanceof Element) yield at
}

/** Luminance of what is painted behind a frame, from 0 to 1; null where nothing is. */
function luminanceBehind(frame: HTMLElement): number | null {
  const layers: Colour[] = []
  try {
    for (const around of elementsAround(frame)) {
      const { backgroundColor, backgroundImage, color } = getComputedStyle(around)
      if (backgroundImage !== 'none') layers.push(pictureOf(backgroundImage, color, frame))
      if (layers.at(-1)?.[3] === 1) break
      layers.push(colourOf(backgroundColor, frame))
      if (layers.at(-1)?.[3] === 1) break
    }
    if (layers.every(([, , , alpha]) => alpha === 0)) return null
    layers.push(colourOf('Canvas', frame))
  } finally {
    frame.style.color = ''
  }
  const [red, green, blue] = layers.reduceRight((under, over) => mixed(over, under, over[3]))
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** A gradient's middle colour. Of a picture only the text on it is known: that can be read, so it is the other way. */
function pictureOf(image: string, ink: string, frame: HTMLElement): Colour {
  const stops = [...image.matchAll(colours)].map(([stop]) => colourOf(stop, frame))
  if (stops.length > 0) return stops.reduce((sum, stop, at) => mixed(stop, sum, 1 / (at + 1)))
  const [red, green, blue] = colourOf(ink, frame)
  const grey = red + green + blue > 1.5 ? 0.3 : 0.7
  return [grey, grey, grey, 1]
}

/** In whatever way it is written: the browser is asked, on the frame. */
function colourOf(written: string, frame: HTMLElement): Colour {
  frame.style.color = `color-mix(in srgb, ${written}, ${written})`
  // color(srgb 0.1 0.2 0.3 / 0.4)
  const [red = 0, green = 0, blue = 0, alpha = 1] = (
    getComputedStyle(frame).color.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []
  ).map(Number)
  return [red, green, blue, alpha]
}

function mixed(over: Colour, under: Colour, share: number): Colour {
  const mix = (at: 0 | 1 | 2 | 3) => over[at] * share + under[at] * (1 - share)
  return [mix(0), mix(1), mix(2), mix(3)]
}

/** sRGB without its transfer function. */
function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
