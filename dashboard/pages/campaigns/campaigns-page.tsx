import { useState } from 'react'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { plus } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { lazyScreen } from '../../shell/lazy-screen.tsx'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { useHash } from '../../kit/use-hash.ts'
import { CampaignDialogs } from './campaign-actions.tsx'
import { CampaignList } from './campaign-list.tsx'
import { comparedMaxCount } from './compare-limits.ts'
import { CampaignView } from './campaign-view.tsx'
import { createCampaignsStore } from './campaigns-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

const { Screen: ComparePage } = lazyScreen(async () => (await import('./compare-page.tsx')).ComparePage)
const { Screen: RecipientPage } = lazyScreen(async () => (await import('./recipient-page.tsx')).RecipientPage)

/** /dashboard/campaigns: the list, `#id` for one of them, `#id/address` for a recipient, `#compare/id,id` for several. */
export function CampaignsPage() {
  const t = useText()
  const { session, notify } = useApp()
  const [store] = useState(() => createCampaignsStore(session, notify))
  const place = useHash()
  const [campaignId = '', address] = place.split('/')
  if (campaignId === 'compare') {
    return <ComparePage key={place} ids={(address ?? '').split(',').slice(0, comparedMaxCount)} />
  }
  if (address !== undefined) {
    return <RecipientPage key={place} campaignId={campaignId} address={decodeURIComponent(address)} />
  }
  if (place !== '' && place !== 'all') return <CampaignView key={place} id={place} />
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Campaigns')}>
          {richText(t, 'Sent, scheduled and draft campaigns. Suppressed addresses are on the {link}.', {
            link: <a href="/dashboard/suppressions">{t('suppression list')}</a>,
          })}
        </ScreenHeader>
        <ButtonLink href="/dashboard/send_email" kind="primary" icon={plus}>
          {t('New campaign')}
        </ButtonLink>
      </div>
      <CampaignList store={store} />
      <CampaignDialogs store={store} />
    </>
  )
}
