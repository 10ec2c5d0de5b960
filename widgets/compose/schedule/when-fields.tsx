import { useText } from '../../kit/text/text.tsx'

/** Every zone that the browser knows; its own where it names none. */
const zones = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []

/** A time of day and its zone. */
export function WhenFields({
  startsAt,
  timezone,
  isDisabled = false,
  onChange,
}: {
  startsAt: string
  timezone: string
  isDisabled?: boolean
  onChange: (startsAt: string, timezone: string) => void
}) {
  const t = useText()
  return (
    <span className="campaign-when">
      <input
        type="datetime-local"
        aria-label={t('Start')}
        value={startsAt}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.value, timezone)}
      />
      <select
        aria-label={t('Time zone')}
        value={timezone}
        disabled={isDisabled}
        onChange={(event) => onChange(startsAt, event.currentTarget.value)}
      >
        {[...new Set([timezone, 'UTC', ...zones])].map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </select>
    </span>
  )
}
