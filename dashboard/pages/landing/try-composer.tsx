import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { tryIt } from '../../content/landing.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** How far below the screen the composer begins to be fetched. */
const ahead = '200px'

/** The shipped composer on the landing page, fetched when it comes near the screen. Its sends are answered by the page. */
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
        if (!isGone) setState('failed') // A part did not come; the button begins anew.
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
            {/* A browser does not fetch a script again that once failed to come. */}
            <Button onClick={() => location.reload()}>{t('Try Again')}</Button>
          </p>
        )}
      </div>
    </section>
  )
}
