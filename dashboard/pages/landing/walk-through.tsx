import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { Dialog } from '../../../widgets/kit/overlay/dialog.tsx'
import { pause, play } from '../../../widgets/kit/icon/icons.ts'
import { walkThroughSteps as steps } from '../../content/walk-through.ts'
import { ProductPicture } from './product-picture.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Duration of each step. */
const stepMs = 5000
const lastAt = steps.length - 1

/**
 * The demo: a slide show of the product's screens without a third-party player. It stops at its end, can be paused, and
 * does not start automatically with reduced motion.
 */
export function WalkThrough({ onClosed }: { onClosed: () => void }) {
  const t = useText()
  const [at, setAt] = useState(0)
  const [run, setRun] = useState<'playing' | 'paused'>(() =>
    matchMedia('(prefers-reduced-motion: reduce)').matches ? 'paused' : 'playing',
  )
  useEffect(() => {
    if (run === 'paused' || at === lastAt) return
    const timer = setTimeout(() => setAt(at + 1), stepMs)
    return () => clearTimeout(timer)
  }, [at, run])

  const go = (next: number) => {
    setRun('paused')
    setAt(Math.min(Math.max(next, 0), lastAt))
  }
  const isPlaying = run === 'playing' && at < lastAt
  const step = steps[at]
  if (step === undefined) return null
  return (
    <Dialog title={t('How it works')} onClosed={onClosed}>
      {() => (
        <div
          className="walk"
          onKeyDown={(event) => {
            if (event.key === 'ArrowRight') go(at + 1)
            if (event.key === 'ArrowLeft') go(at - 1)
          }}
        >
          <ProductPicture
            key={step.picture}
            name={step.picture}
            alt={t('The screen of step {number}: {title}', { number: at + 1, title: t(step.title) })}
          />
          <div className="walk-words" aria-live={isPlaying ? 'off' : 'polite'}>
            <h3>
              {at + 1}. {t(step.title)}
            </h3>
            <p>{t(step.text)}</p>
          </div>
          <div className="walk-acts">
            <Button
              icon={isPlaying ? pause : play}
              aria-label={isPlaying ? t('Pause') : t('Play')}
              onClick={() => {
                if (at === lastAt) setAt(0)
                setRun(isPlaying ? 'paused' : 'playing')
              }}
            />
            <ol className="walk-steps">
              {steps.map(({ title }, index) => (
                <li key={title}>
                  <button
                    type="button"
                    aria-label={t('Step {number}: {title}', { number: index + 1, title: t(title) })}
                    aria-current={index === at ? 'step' : undefined}
                    onClick={() => go(index)}
                  />
                </li>
              ))}
            </ol>
            {at === lastAt && (
              <ButtonLink kind="primary" href="/signup">
                {t('Start For Free')}
              </ButtonLink>
            )}
          </div>
        </div>
      )}
    </Dialog>
  )
}
