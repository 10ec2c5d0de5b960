import { Suspense, useState } from 'react'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { hero } from '../../content/landing.ts'
import { deferredPart } from '../../shell/deferred-part.tsx'
import { lazyScreen } from '../../shell/lazy-screen.tsx'

/** A drawing: nothing in it needs a script. */
export const heroLetter = deferredPart(
  async () => (await import('./hero-letter.tsx')).HeroLetter,
  () => document.querySelector('.hero-picture')?.hasChildNodes() ?? false,
)

const walkThrough = lazyScreen(async () => (await import('./walk-through.tsx')).WalkThrough)

/** The first screen: what it is, the way in, and a message on its way. */
export function Hero() {
  const [demo, setDemo] = useState<'closed' | 'open'>('closed')
  return (
    <section className="hero wrap">
      <div className="hero-words">
        <p className="hero-badge">{hero.badge}</p>
        <h1>
          {hero.headline.plain} <em>{hero.headline.marked}</em>
        </h1>
        <p className="hero-text">{hero.description}</p>
        <div className="hero-actions">
          <ButtonLink kind="primary" href="/signup">
            Start For Free
          </ButtonLink>
          <Button onClick={() => setDemo('open')}>Watch Demo</Button>
        </div>
        <p className="hero-offer">{hero.offer}</p>
      </div>
      <div className="hero-picture">
        <Suspense fallback={null}>
          <heroLetter.Part />
        </Suspense>
      </div>
      {demo === 'open' && <walkThrough.Screen onClosed={() => setDemo('closed')} />}
    </section>
  )
}
