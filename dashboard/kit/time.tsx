import { useText } from '../../widgets/kit/text/text.tsx'

/** A time in the visitor's zone, short; the exact one on hover. `isDated`: with its day, even if that is today. */
export function Time({ iso, isDated = false }: { iso: string; isDated?: boolean }) {
  const t = useText()
  const date = new Date(iso)
  const isTimeOnly = !isDated && isToday(date)
  return (
    <time dateTime={iso} title={date.toString()}>
      {date.toLocaleString(t.lang, { ...(!isTimeOnly && { dateStyle: 'medium' }), timeStyle: 'short' })}
    </time>
  )
}

function isToday(date: Date): boolean {
  return date.toDateString() === new Date().toDateString()
}
