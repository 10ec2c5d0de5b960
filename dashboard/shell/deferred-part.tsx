import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { Button } from '../../widgets/kit/form/button.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

/** A part of a prerendered page that is hydrated later than the page. */
export interface DeferredPart {
  /** Requires a Suspense boundary. */
  Part: LazyExoticComponent<ComponentType>
  /** Preloads the module, so that it renders synchronously; the build requires this. */
  load: () => Promise<void>
}

const interactionEvents = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'touchstart'] as const

/**
 * A part whose HTML was rendered at build and whose script loads at the first interaction: until then React keeps the
 * HTML. Without such HTML, after a navigation inside the app, it loads at once. `isRendered` distinguishes the two.
 */
export function deferredPart(load: () => Promise<ComponentType>, isRendered: () => boolean): DeferredPart {
  let loaded: { default: ComponentType } | null = null
  const fetch = async () => (loaded = { default: await load() })
  const Part = lazy(() => {
    // React renders a loaded module without waiting only if `then` calls back synchronously.
    if (loaded !== null)
      return { then: (take: (module: object) => void) => take(loaded as object) } as ReturnType<typeof fetch>
    // A failed load must not break the page: prerendered HTML stays, otherwise a message is shown.
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
    // Scrolled before its script was there.
    if (window.scrollY > 0) {
      resolve()
      return
    }
    const listening = new AbortController()
    const onSign = () => {
      listening.abort()
      resolve()
    }
    const options = { capture: true, passive: true, signal: listening.signal }
    for (const sign of interactionEvents) window.addEventListener(sign, onSign, options)
  })
}
