import { useEffect, useState, type ReactNode } from 'react'
import { errorText } from '../../../client/core/http.ts'
import { getEmailCampaign } from '../../../client/mail/campaign.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { Progress } from '../../../widgets/compose/progress/progress.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { arrowLeft, pencil, send } from '../../../widgets/kit/icon/icons.ts'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { Time } from '../../kit/time.tsx'
import { CampaignMail } from './campaign-mail.tsx'
import { nameOf } from './campaign-labels.ts'
import { LaunchDialog } from './launch-dialog.tsx'
import { RecipientList } from './recipient-list.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { StartTime } from './start-time.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

type Loaded = { status: 'loading' } | { status: 'ready'; campaign: Campaign } | { status: 'failed'; error: string }

/** Loads a campaign; `reload` loads it again. */
function useCampaign(id: string) {
  const { session } = useApp()
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [loadCount, setLoadCount] = useState(0)
  useEffect(() => {
    const aborter = new AbortController()
    getEmailCampaign(session, id, { signal: aborter.signal }).then(
      (campaign) => setLoaded({ status: 'ready', campaign }),
      (error: unknown) => {
        if (!aborter.signal.aborted) setLoaded({ status: 'failed', error: errorText(error) ?? '' })
      },
    )
    return () => aborter.abort()
  }, [session, id, loadCount])
  return { loaded, setLoaded, loadCount, reload: () => setLoadCount(loadCount + 1) }
}

/** A campaign: its times, its message and the live state of each recipient. */
export function CampaignView({ id }: { id: string }) {
  const t = useText()
  const { loaded, setLoaded, loadCount, reload } = useCampaign(id)
  const [isRenaming, setIsRenaming] = useState(false)
  const campaign = loaded.status === 'ready' ? loaded.campaign : null
  return (
    <>
      <a className="screen-back" href="#all">
        <Icon of={arrowLeft} size={16} /> {t('All campaigns')}
      </a>
      <div className="screen-top">
        <ScreenHeader title={campaign ? nameOf(campaign) : t('Campaign')}>
          {campaign && <Facts campaign={campaign} />}
        </ScreenHeader>
        {campaign && (
          <Button icon={pencil} onClick={() => setIsRenaming(true)}>
            {t('Rename')}
          </Button>
        )}
      </div>
      {campaign && isRenaming && (
        <RenameDialog
          campaign={campaign}
          onRenamed={({ name }) => setLoaded({ status: 'ready', campaign: { ...campaign, name } })}
          onClosed={() => setIsRenaming(false)}
        />
      )}
      {campaign ? (
        <CampaignBody campaign={campaign} loadCount={loadCount} onChanged={reload} />
      ) : (
        <section className="panel" aria-label={t('Campaign')}>
          {loaded.status === 'failed' ? (
            <ErrorState level={2} title={t('The campaign could not be loaded')} text={loaded.error} onRetry={reload} />
          ) : (
            <Skeleton>
              <div className="skeleton-row">
                <Bone width="46%" />
                <Bone width="70%" />
              </div>
            </Skeleton>
          )}
        </section>
      )}
    </>
  )
}

interface CampaignBodyProps {
  campaign: Campaign
  loadCount: number
  onChanged: () => void
}

function CampaignBody({ campaign, loadCount, onChanged }: CampaignBodyProps) {
  const { session } = useApp()
  const [isLaunching, setIsLaunching] = useState(false)
  const { id, status } = campaign
  return (
    <>
      {status === 'draft' && <DraftNotice total={campaign.counts.total} onLaunch={() => setIsLaunching(true)} />}
      {isLaunching && <LaunchDialog campaign={campaign} onChanged={onChanged} onClosed={() => setIsLaunching(false)} />}
      {(status === 'draft' || status === 'scheduled') && <CampaignMail campaign={campaign} />}
      <Progress
        key={loadCount}
        store={{
          session,
          set: () => (location.hash = 'all'),
          suppressionsHref: '/dashboard/suppressions',
        }}
        launched={{ kind: 'campaign', id }}
        hasList={false}
      />
      <RecipientList key={`${loadCount} ${status}`} campaign={campaign} />
    </>
  )
}

function DraftNotice({ total, onLaunch }: { total: number; onLaunch: () => void }) {
  const t = useText()
  return (
    <div className="campaign-draft">
      <p className="campaign-note">
        {total === 0
          ? t('This draft has no recipients. Add them through the API.')
          : t(
              'This draft was not launched. It has {count} recipient.|This draft was not launched. It has {count} recipients.',
              { count: total },
            )}
      </p>
      {total > 0 && (
        <Button kind="primary" icon={send} onClick={onLaunch}>
          {t('Launch')}
        </Button>
      )}
    </div>
  )
}

function Facts({ campaign }: { campaign: Campaign }) {
  const t = useText()
  const {
    created_at: created,
    scheduled_at: starts,
    started_at: started,
    finished_at: ended,
    status_reason: reason,
    status,
  } = campaign
  const parts: [string, string | null][] = [
    ['Created', created],
    ['Started', started],
    ['Ended', ended],
  ]
  const shown: ReactNode[] = parts.flatMap(([word, at]) =>
    at === null
      ? []
      : [
          <span key={word} className="campaign-fact">
            {t(word)} <Time iso={at} />
          </span>,
        ],
  )
  return (
    <>
      {starts !== null && started === null && (
        <span className="campaign-fact">
          {status === 'scheduled' ? t('Starts') : t('Set for')} <StartTime iso={starts} />
        </span>
      )}
      {shown}
      {reason !== null && <span className="campaign-fact">{reason}</span>}
    </>
  )
}
