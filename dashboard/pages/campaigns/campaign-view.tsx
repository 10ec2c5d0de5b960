import { useCallback, useRef, useState, type ReactNode } from 'react'
import type { CallOptions } from '../../../client/core/http.ts'
import { getEmailCampaign } from '../../../client/mail/campaign.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { Progress } from '../../../widgets/compose/progress/progress.tsx'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { pencil, send } from '../../../widgets/kit/icon/icons.ts'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { BackLink } from '../../kit/back-link.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import { useLoaded } from '../../kit/use-loaded.ts'
import { CampaignMail } from './campaign-mail.tsx'
import { nameOf } from './campaign-labels.ts'
import { LaunchDialog } from './launch-dialog.tsx'
import { RecipientList } from './recipient-list.tsx'
import { createRecipientsStore, noRecipientFilter } from './recipients-store.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { CampaignReport } from './report/campaign-report.tsx'
import type { ShowPeople } from './report/figures.tsx'
import { StartTime } from './start-time.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** A campaign: its times, its message and the live state of each recipient. */
export function CampaignView({ id }: { id: string }) {
  const t = useText()
  const { session } = useApp()
  const load = useCallback((options: CallOptions) => getEmailCampaign(session, id, options), [session, id])
  const { loaded, set, loadCount, reload } = useLoaded(load)
  const [isRenaming, setIsRenaming] = useState(false)
  const campaign = loaded.status === 'ready' ? loaded.value : null
  return (
    <>
      <BackLink>{t('All campaigns')}</BackLink>
      <div className="screen-top">
        <ScreenHeader title={campaign ? nameOf(campaign) : t('Campaign')}>
          {campaign && <Facts campaign={campaign} />}
        </ScreenHeader>
        {campaign && ['draft', 'scheduled'].includes(campaign.status) && (
          <ButtonLink href={`/dashboard/send_email?campaign=${id}`}>{t('Edit')}</ButtonLink>
        )}
        {campaign && (
          <Button icon={pencil} onClick={() => setIsRenaming(true)}>
            {t('Rename')}
          </Button>
        )}
      </div>
      {campaign && isRenaming && (
        <RenameDialog
          campaign={campaign}
          onRenamed={({ name }) => set({ ...campaign, name })}
          onClosed={() => setIsRenaming(false)}
        />
      )}
      {campaign ? (
        <CampaignBody
          key={`${loadCount} ${campaign.status}`}
          campaign={campaign}
          loadCount={loadCount}
          onChanged={reload}
        />
      ) : (
        <section className="panel" aria-label={t('Campaign')}>
          {loaded.status === 'failed' ? (
            <ErrorState level={2} title={t('The campaign could not be loaded')} text={loaded.error} onRetry={reload} />
          ) : (
            <SkeletonRows widths={['46%']} second="70%" />
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
  const { session, notify } = useApp()
  // The composer saved it to be launched.
  const [isLaunching, setIsLaunching] = useState(
    () => (history.state as { isLaunching?: boolean } | null)?.isLaunching === true && campaign.status === 'draft',
  )
  const [isResending, setIsResending] = useState(false)
  const { id, status } = campaign
  const [store] = useState(() => createRecipientsStore({ session, notify, id, isMoving: status !== 'draft' }))
  const list = useRef<HTMLDivElement>(null)
  const show: ShowPeople = (filter) => {
    void store.list.find({ ...noRecipientFilter, ...filter })
    list.current?.querySelector('h2')?.focus()
    list.current?.scrollIntoView({ block: 'start' })
  }
  const hasStarted = campaign.started_at !== null
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
      {hasStarted && (
        <CampaignReport key={id} campaign={campaign} onShow={show} onResend={() => setIsResending(true)} />
      )}
      {hasStarted && <MailOfCampaign campaign={campaign} />}
      {isResending && <ResendDialog campaign={campaign} onClosed={() => setIsResending(false)} />}
      <div ref={list} className="campaign-recipients">
        <RecipientList campaign={campaign} store={store} />
      </div>
    </>
  )
}

/** The mail of a campaign that was launched, folded. */
function MailOfCampaign({ campaign }: { campaign: Campaign }) {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="campaign-folded" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Show the mail')}</summary>
      {isOpen && <CampaignMail campaign={campaign} />}
    </details>
  )
}

function DraftNotice({ total, onLaunch }: { total: number; onLaunch: () => void }) {
  const t = useText()
  return (
    <div className="campaign-draft">
      <p className="campaign-note">
        {total === 0
          ? t('This draft has no recipients. Add them with Edit.')
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
