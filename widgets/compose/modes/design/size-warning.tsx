import { useDeferredValue, useMemo } from 'react'
import { Banner } from '../../../kit/feedback/banner.tsx'
import { useText } from '../../../kit/text/text.tsx'

/** Gmail shows a mail up to this size. */
const clipBytes = 102_000

/** Says that a mail is too large to be shown whole. */
export function SizeWarning({ html: latest }: { html: string }) {
  const t = useText()
  // A key in a large design is painted before its size is known.
  const html = useDeferredValue(latest)
  const bytes = useMemo(() => (html.length * 3 < clipBytes ? 0 : new TextEncoder().encode(html).length), [html])
  if (bytes <= clipBytes) return null
  return (
    <Banner kind="info" title={t('Gmail will clip this mail')}>
      {t('It has {size} kB; Gmail hides what is beyond 102 kB. Remove blocks or shorten texts.', {
        size: Math.ceil(bytes / 1000),
      })}
    </Banner>
  )
}
