import { useState } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Fetches the next page of a list; nothing where all of it is there. */
export function ShowMore({ shown, total, onMore }: { shown: number; total: number; onMore: () => Promise<void> }) {
  const t = useText()
  const [state, setState] = useState<'idle' | 'loading'>('idle')
  if (shown === 0 || shown >= total) return null
  const more = () => {
    setState('loading')
    void onMore().finally(() => setState('idle'))
  }
  return (
    <div className="embed-more">
      <Button busy={state === 'loading'} onClick={more}>
        {t('Show more')}
      </Button>
      <span>{t('{shown} of {total}', { shown, total })}</span>
    </div>
  )
}
