import { useText } from '../../widgets/kit/text/text.tsx'
/** A time in the visitor's zone, short; the exact one on hover. */
export function Time({ iso }: { iso: string }) {
  const t = useText()
  const date = new Date(iso)
  const isToday = date.toDateString() === new Date().toDateString()
  const text = date.toLocaleString(
    t.lang,
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  )
  return (
    <time dateTime={iso} title={date.toString()}>
      {text}
    </time>
  )
}
