import { useSnapshot } from 'valtio'
import type { TermsStore } from './campaign-terms-store.ts'
import { useText } from '../../kit/text/text.tsx'
import { inAnHour } from '../schedule/local-time.ts'
import { WhenFields } from '../schedule/when-fields.tsx'

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
        <WhenFields
          startsAt={startsAt}
          timezone={timezone}
          isDisabled={isBusy}
          onChange={(at, zone) => void store.startAt(at || inAnHour(), zone)}
        />
      )}
    </fieldset>
  )
}
