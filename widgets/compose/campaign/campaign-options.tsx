import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { useMessages } from '../../kit/text/text.tsx'
import { useModule } from '../../kit/use-module.ts'
import { trackingOf, type TermsStore } from './campaign-terms-store.ts'

const loadFields = () => import('./campaign-option-fields.tsx')

/**
 * Options that few launches need, folded: UTM parameters where links are tracked, and the exemption from the frequency cap
 * where the campaign goes to contacts. Open where the campaign has one of them. Absent where neither has an effect.
 */
export function CampaignOptions({ store }: { store: TermsStore }) {
  const t = useMessages()
  const { workspaceTracking, tracking, campaign, hasAudience } = useSnapshot(store.state)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? (campaign !== null && (campaign.frequency_exempt || Object.keys(campaign.utm).length > 0))
  const { module, retry } = useModule(loadFields, isOpen)
  const isTracked = trackingOf({ workspaceTracking, tracking, campaign }) !== 'off'
  if (!isTracked && !hasAudience) return null
  return (
    <details className="campaign-more" open={isOpen} onToggle={(event) => setChosen(event.currentTarget.open)}>
      <summary>{t('More options')}</summary>
      {module && <module.CampaignOptionFields store={store} isTracked={isTracked} />}
      {retry && (
        <p role="alert">
          {t('The form could not be loaded.')}{' '}
          <Button size="small" onClick={retry}>
            {t('Try Again')}
          </Button>
        </p>
      )}
    </details>
  )
}
