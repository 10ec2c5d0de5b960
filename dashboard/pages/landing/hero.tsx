import { Suspense, useState } from 'react'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { hero } from '../../content/landing.ts'
import { deferredPart } from '../../shell/deferred-part.tsx'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** A drawing: it needs no script. */
export const heroLetter = deferredPart(
  async () => (await import('./hero-letter.tsx')).HeroLetter,
  () => document.querySelector('.hero-picture')?.hasChildNodes() ?? false,
)

const walkThrough = lazyScreen(async () => (await import('./walk-through.tsx')).WalkThrough)

/** The first screen: headline, sign-up and a drawing of a message. */
export function Hero() {
  const t = useText()
  const [demo, setDemo] = useState<'closed' | 'open'>('closed')
  return (
    <section className="hero wrap">
      <div className="hero-words">
        <p className="hero-badge">{t(hero.badge.text, hero.badge.values)}</p>
        <h1>
          {t(hero.headline.plain)} <em>{t(hero.headline.marked)}</em>
        </h1>
        <p className="hero-text">{t(hero.description)}</p>
        <div className="hero-actions">
          <ButtonLink kind="primary" href="/signup">
            {t('Start For Free')}
          </ButtonLink>
          <Button onClick={() => setDemo('open')}>{t('Watch Demo')}</Button>
        </div>
        <p className="hero-offer">{t(hero.offer.text, hero.offer.values)}</p>
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
