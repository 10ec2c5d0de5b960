import { Suspense, useEffect, useRef } from 'react'
import { stats } from '../../content/landing.ts'
import { deferredPart } from '../../shell/deferred-part.tsx'
import { Hero } from './hero.tsx'
import { TryComposer } from './try-composer.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

const isThere = () => document.getElementById('features')?.hasChildNodes() ?? false

/** The sections below the first screen. */
export const landingSections = deferredPart(
  async () => (await import('./landing-sections.tsx')).LandingSections,
  isThere,
)

/** /: the features of the product, a live composer, and frequently asked questions. */
export function LandingPage() {
  const t = useText()
  const isAwaited = useRef(false)
  useEffect(() => {
    // After a navigation inside the app; after a page load the browser has already scrolled.
    if (window.scrollY === 0) showPart()
    isAwaited.current = !isThere()
  }, [])
  return (
    <div className="landing">
      <Hero />
      <dl className="stats wrap" aria-label={t('In figures')}>
        {stats.map(({ figure, label }) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <TryComposer />
      <div id="features">
        <Suspense fallback={null}>
          <landingSections.Part />
          <Arrival
            onArrived={() => {
              if (isAwaited.current) showPart()
            }}
          />
        </Suspense>
      </div>
    </div>
  )
}

/** Scrolls to the part that the address names. */
function showPart(): void {
  document.getElementById(location.hash.slice(1))?.scrollIntoView()
}

/** Calls back once its Suspense boundary has rendered: only then has the page its full height. */
function Arrival({ onArrived }: { onArrived: () => void }) {
  const arrived = useRef(onArrived)
  useEffect(() => {
    arrived.current()
  }, [])
  return null
}
