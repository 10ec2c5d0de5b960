import { useSnapshot } from 'valtio'
import type { TermsStore } from './campaign-terms-store.ts'
import { useText } from '../../kit/text/text.tsx'

/** Every zone that the browser knows; its own where it names none. */
const zones = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []

/** Now, or at a time of day in a zone. */
export function CampaignSchedule({ store }: { store: Pick<TermsStore, 'state' | 'startAt'> }) {
  const t = useText()
  const { startsAt, timezone, status } = useSnapshot(store.state, { sync: true })
  const when = startsAt === '' ? 'now' : 'later'
  const isBusy = status === 'filling' || status === 'launching'
  return (
    <fieldset>
      <legend>{t('When it starts')}</legend>
      {(['now', 'later'] as const).map((one) => (
        <label key={one} className="campaign-choice">
          <input
            type="radio"
            name="when"
            checked={when === one}
            disabled={isBusy}
            onChange={() => void store.startAt(one === 'now' ? '' : inAnHour())}
          />
          {t(one === 'now' ? 'Now' : 'Later')}
        </label>
      ))}
      {when === 'later' && (
        <span className="campaign-when">
          <input
            type="datetime-local"
            aria-label={t('Start')}
            value={startsAt}
            disabled={isBusy}
            onChange={(event) => void store.startAt(event.currentTarget.value || inAnHour())}
          />
          <select
            aria-label={t('Time zone')}
            value={timezone}
            disabled={isBusy}
            onChange={(event) => void store.startAt(startsAt, event.currentTarget.value)}
          >
            {[...new Set([timezone, 'UTC', ...zones])].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </span>
      )}
    </fieldset>
  )
}

/** The full hour after the next one, on the visitor's clock, as a `datetime-local` control takes it. */
function inAnHour(): string {
  const at = new Date(Date.now() + 3_600_000)
  at.setMinutes(0, 0, 0)
  at.setHours(at.getHours() + 1)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:00`
}
