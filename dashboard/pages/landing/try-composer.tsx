import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { tryIt } from '../../content/landing.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Distance below the viewport at which the composer loads. */
const ahead = '200px'

/** The shipped composer on the landing page, loaded near the viewport. The page simulates its sends. */
export function TryComposer() {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'waiting' | 'ready' | 'failed'>('waiting')

  useEffect(() => {
    const element = place.current
    if (element === null) return
    let undo: (() => void) | null = null
    let isGone = false
    const mount = async () => {
      try {
        const { mountDemoComposer } = await import('./demo-composer.ts')
        if (isGone) return
        undo = mountDemoComposer(element)
        setState('ready')
      } catch {
        if (!isGone) setState('failed') // A module failed to load; the button reloads the page.
      }
    }
    const watch = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        watch.disconnect()
        void mount()
      },
      { rootMargin: ahead },
    )
    watch.observe(element)
    return () => {
      isGone = true
      watch.disconnect()
      undo?.()
    }
  }, [])

  return (
    <section className="band" aria-labelledby="try-it">
      <div className="wrap">
        <div className="section-head">
          <h2 id="try-it">{t(tryIt.title)}</h2>
          <p>{t(tryIt.text)}</p>
        </div>
        <p className="try-note">{t(tryIt.note)}</p>
        <div className={`try-place ${state}`} ref={place} />
        {state === 'failed' && (
          <p className="try-failed" role="alert">
            {t('The composer could not be loaded.')}
            {/* A browser does not load a failed module again. */}
            <Button onClick={() => location.reload()}>{t('Try Again')}</Button>
          </p>
        )}
      </div>
    </section>
  )
}
