import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { CampaignTerms, Forecast } from '../../../widgets/compose/campaign/campaign-terms.tsx'
import { Dialog } from '../../../widgets/kit/overlay/dialog.tsx'
import { Bone, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { campaignLaunched, launchUnsure } from '../../../widgets/lib/campaign-messages.ts'
import { useApp } from '../../app.ts'
import { nameOf, startText } from './campaign-labels.ts'
import { createDraftLaunch } from './draft-launch-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** Confirms the launch of a draft: recipients, start and end, and variables without a value. */
export function LaunchDialog({
  campaign,
  onChanged,
  onClosed,
}: {
  campaign: Pick<Campaign, 'id' | 'name' | 'subject'>
  /** It is launched, or may be. */
  onChanged: () => void
  onClosed: () => void
}) {
  const t = useText()
  const { session, notify } = useApp()
  const [isLaunched, setIsLaunched] = useState(false)
  const [store] = useState(() =>
    createDraftLaunch(session, campaign.id, ({ status, scheduled_at: at }) => {
      const text =
        status === 'scheduled' && at
          ? t('Campaign scheduled: it starts {time}', { time: startText(at) })
          : campaignLaunched
      notify({ kind: 'success', text })
      onChanged()
      setIsLaunched(true)
    }),
  )
  useEffect(() => void store.prepare(), [store])
  const closed = () => {
    if (store.isUnsure()) {
      notify({ kind: 'error', text: launchUnsure })
      onChanged()
    }
    onClosed()
  }
  return (
    <Dialog title={t('Launch this campaign?')} onClosed={closed}>
      {(close) => (
        <div className="campaign">
          <p>
            <b translate="no">{nameOf(campaign)}</b>
          </p>
          <CampaignTerms store={store} back={t('Not yet')} onBack={close}>
            <LaunchSummary store={store} />
          </CampaignTerms>
          {isLaunched && <Closer close={close} />}
        </div>
      )}
    </Dialog>
  )
}

/** All questions are answered. */
function Closer({ close }: { close: () => void }) {
  useEffect(() => {
    close()
  }, [close])
  return null
}

const forecastOf = ({ counts, finishes_at: finishesAt }: Pick<Campaign, 'counts' | 'finishes_at'>) => ({
  count: counts.total - counts.suppressed,
  suppressed: counts.suppressed,
  finishesAt,
})

function LaunchSummary({ store }: { store: ReturnType<typeof createDraftLaunch> }) {
  const t = useText()
  const { campaign, hasAudience } = useSnapshot(store.state)
  const empty = campaign?.unfilled_variables ?? []
  return (
    <div className="campaign-summary" role="status">
      {campaign === null ? (
        <Skeleton>
          <Bone width="60%" />
        </Skeleton>
      ) : hasAudience ? (
        <p>{t('The people of its lists and segments are counted when it starts.')}</p>
      ) : (
        <Forecast forecast={forecastOf(campaign)} others={[]} />
      )}
      {empty.length > 0 && (
        <>
          <p>{t('These variables have no value:')}</p>
          <ul>
            {empty.map(({ name, recipients }) => (
              <li key={name}>
                {richText(t, '{code} for {recipients}', {
                  code: <code>{`{{${name}}}`}</code>,
                  recipients: recipients.toLocaleString(t.lang),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
