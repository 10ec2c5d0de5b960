import { startText } from './campaign-labels.ts'

/** When a campaign starts, in the reader's time zone with its name. */
export function StartTime({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={Intl.DateTimeFormat().resolvedOptions().timeZone}>
      {startText(iso)}
    </time>
  )
}
