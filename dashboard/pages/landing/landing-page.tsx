import { Suspense, useEffect } from 'react'
import { stats } from '../../content/landing.ts'
import { laterPart } from '../../shell/later-part.tsx'
import { Hero } from './hero.tsx'
import { TryComposer } from './try-composer.tsx'

/** What lies below the first screen. */
export const landingSections = laterPart(
  async () => (await import('./landing-sections.tsx')).LandingSections,
  () => document.getElementById('features')?.hasChildNodes() ?? false,
)

/** /: what the product does, the product itself to try, and what people ask before they begin. */
export function LandingPage() {
  useEffect(() => {
    // Reached from another page; where it was loaded, the browser has scrolled already.
    if (scrollY === 0) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <div className="landing">
      <Hero />
      <dl className="stats wrap" aria-label="In figures">
        {stats.map(({ figure, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <TryComposer />
      <div id="features">
        <Suspense fallback={null}>
          <landingSections.Part />
        </Suspense>
      </div>
    </div>
  )
}
