import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { Button } from '../../widgets/kit/form/button.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

/** A part of a rendered page that comes alive later than the page around it. */
export interface DeferredPart {
  /** To be drawn inside a Suspense boundary. */
  Part: LazyExoticComponent<ComponentType>
  /** Fetches it ahead: drawn at once from then on. The build needs that. */
  load: () => Promise<void>
}

const interactionEvents = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'touchstart'] as const

/**
 * A part whose HTML was rendered at build and whose script is fetched at the first sign of a person: until then React
 * leaves the HTML as it is. Where there is no such HTML, because the page was reached from another, it is fetched at
 * once. `isRendered` tells which.
 */
export function deferredPart(load: () => Promise<ComponentType>, isRendered: () => boolean): DeferredPart {
  let loaded: { default: ComponentType } | null = null
  const fetch = async () => (loaded = { default: await load() })
  const Part = lazy(() => {
    // React takes what is there already without waiting, but only from a promise that answers in the same breath.
    if (loaded !== null)
      return { then: (take: (module: object) => void) => take(loaded as object) } as ReturnType<typeof fetch>
    // What does not come must not take the page along: rendered, it stays as it is; else its place says so.
    if (isRendered())
      return waitForFirstInteraction().then(() => fetch().catch(() => new Promise<never>(() => undefined)))
    return fetch().catch(() => ({ default: LoadFailure }))
  })
  return { Part, load: () => fetch().then(() => undefined) }
}

function LoadFailure() {
  const t = useText()
  return (
    <p className="missing" role="alert">
      {t('A part of this page could not be loaded.')}{' '}
      <Button onClick={() => location.reload()}>{t('Try Again')}</Button>
    </p>
  )
}

function waitForFirstInteraction(): Promise<void> {
  return new Promise((resolve) => {
    const listening = new AbortController()
    const onSign = () => {
      listening.abort()
      resolve()
    }
    const options = { capture: true, passive: true, signal: listening.signal }
    for (const sign of interactionEvents) window.addEventListener(sign, onSign, options)
  })
}
