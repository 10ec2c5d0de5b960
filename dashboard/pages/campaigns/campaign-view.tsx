import { useEffect, useState, type ReactNode } from 'react'
import { errorText } from '../../../client/core/http.ts'
import { getEmailCampaign } from '../../../client/mail/campaign.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { Progress } from '../../../widgets/compose/progress.tsx'
import { Button } from '../../../widgets/kit/button.tsx'
import { Icon } from '../../../widgets/kit/icon.tsx'
import { arrowLeft, pencil, send } from '../../../widgets/kit/icons.ts'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/states.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { Time } from '../../kit/time.tsx'
import { CampaignMail } from './campaign-mail.tsx'
import { nameOf } from './campaign-labels.ts'
import { LaunchDialog } from './launch-dialog.tsx'
import { RecipientList } from './recipient-list.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { StartTime } from './start-time.tsx'

type Loaded = { status: 'loading' } | { status: 'ready'; campaign: Campaign } | { status: 'failed'; error: string }

/** One campaign: when it was made and by which subject, and where each of its recipients stands, live. */
export function CampaignView({ id }: { id: string }) {
  const { session } = useApp()
  const [loaded, setLoaded] = useState<Loaded>({ status: 'loading' })
  const [tryCount, setTryCount] = useState(0)
  useEffect(() => {
    const aborter = new AbortController()
    getEmailCampaign(session, id, { signal: aborter.signal }).then(
      (campaign) => setLoaded({ status: 'ready', campaign }),
      (error: unknown) => {
        if (!aborter.signal.aborted) setLoaded({ status: 'failed', error: errorText(error) ?? '' })
      },
    )
    return () => aborter.abort()
  }, [session, id, tryCount])
  const [isLaunching, setIsLaunching] = useState(false)
  const [isRenaming, setIsRenaming] = useState(false)
  const campaign = loaded.status === 'ready' ? loaded.campaign : null
  const isAhead = campaign?.status === 'draft' || campaign?.status === 'scheduled'
  return (
    <>
      <a className="screen-back" href="#all">
        <Icon of={arrowLeft} size={16} /> All campaigns
      </a>
      <div className="screen-top">
        <ScreenHeader title={campaign ? nameOf(campaign) : 'Campaign'}>
          {campaign && <Facts campaign={campaign} />}
        </ScreenHeader>
        {campaign && (
          <Button icon={pencil} onClick={() => setIsRenaming(true)}>
            Rename
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
      {loaded.status === 'loading' && (
        <section className="panel" aria-label="Campaign">
          <Skeleton>
            <div className="skeleton-row">
              <Bone width="46%" />
              <Bone width="70%" />
            </div>
          </Skeleton>
        </section>
      )}
      {loaded.status === 'failed' && (
        <section className="panel" aria-label="Campaign">
          <ErrorState
            level={2}
            title="The campaign could not be loaded"
            text={loaded.error}
            onRetry={() => setTryCount(tryCount + 1)}
          />
        </section>
      )}
      {campaign?.status === 'draft' && (
        <div className="campaign-draft">
          <p className="campaign-note">
            {campaign.counts.total === 0
              ? 'This draft has no recipients. Add them through the API.'
              : `This draft was not launched. It has ${recipientsText(campaign.counts.total)}.`}
          </p>
          {campaign.counts.total > 0 && (
            <Button kind="primary" icon={send} onClick={() => setIsLaunching(true)}>
              Launch
            </Button>
          )}
        </div>
      )}
      {campaign && isLaunching && (
        <LaunchDialog
          campaign={campaign}
          onChanged={() => setTryCount(tryCount + 1)}
          onClosed={() => setIsLaunching(false)}
        />
      )}
      {campaign && isAhead && <CampaignMail campaign={campaign} />}
      {campaign && (
        <Progress
          key={tryCount}
          store={{
            session,
            set: () => (location.hash = 'all'),
            suppressionsHref: '/dashboard/suppressions',
          }}
          launched={{ kind: 'campaign', id }}
          hasList={false}
        />
      )}
      {campaign && <RecipientList key={`${tryCount} ${campaign.status}`} campaign={campaign} />}
    </>
  )
}

const recipientsText = (count: number) => (count === 1 ? '1 recipient' : `${count.toLocaleString()} recipients`)

function Facts({ campaign }: { campaign: Campaign }) {
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
            {word} <Time iso={at} />
          </span>,
        ],
  )
  return (
    <>
      {starts !== null && started === null && (
        <span className="campaign-fact">
          {status === 'scheduled' ? 'Starts' : 'Set for'} <StartTime iso={starts} />
        </span>
      )}
      {shown}
      {reason !== null && <span className="campaign-fact">{reason}</span>}
    </>
  )
}
