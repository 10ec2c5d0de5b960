import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { trackingModes } from '../../../contract/results/tracking.limits.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import { Button } from '../../kit/form/button.tsx'
import { useText } from '../../kit/text/text.tsx'
import { trackingOf, type TermsStore } from './campaign-terms-store.ts'

/** What is recorded of a campaign's opens and clicks: at most what the workspace allows. */
export function CampaignTracking({ store }: { store: Pick<TermsStore, 'state' | 'track' | 'allowTracking'> }) {
  const t = useText()
  const note = useId()
  const { workspaceTracking: most, tracking, campaign, status } = useSnapshot(store.state, { sync: true })
  const isBusy = status === 'filling' || status === 'launching'
  const isBeyond = (mode: TrackingMode) => trackingModes.indexOf(mode) > trackingModes.indexOf(most ?? 'off')
  const names = { off: t('Not recorded'), counts: t('Totals only'), identified: t('Who opened and clicked') }
  return (
    <fieldset aria-describedby={note}>
      <legend>{t('Opens and clicks')}</legend>
      {trackingModes.map((mode) => (
        <label key={mode} className="campaign-choice">
          <input
            type="radio"
            name="tracking"
            checked={trackingOf({ workspaceTracking: most, tracking, campaign }) === mode}
            disabled={isBusy || isBeyond(mode)}
            onChange={() => void store.track(mode)}
          />
          {names[mode]}
        </label>
      ))}
      <span className="campaign-note" id={note}>
        {most !== null && most !== 'identified' && t('Your workspace does not allow more.')}
      </span>
      {most === 'off' && (
        <Button size="small" disabled={isBusy} onClick={() => void store.allowTracking()}>
          {t('Turn on for the workspace')}
        </Button>
      )}
    </fieldset>
  )
}
