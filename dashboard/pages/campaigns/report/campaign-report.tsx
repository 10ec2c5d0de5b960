import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Campaign } from '../../../../contract/mail/campaign.ts'
import type { CampaignReport as Report } from '../../../../contract/results/report.ts'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { gauge, send } from '../../../../widgets/kit/icon/icons.ts'
import { EmptyState, ErrorState } from '../../../../widgets/kit/feedback/states.tsx'
import { createSheet, useSheet } from '../../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { useApp } from '../../../app.ts'
import { SkeletonRows } from '../../../kit/skeleton-rows.tsx'
import { Bounces, ByDomain, ByMailbox } from './breakdowns.tsx'
import type { ShowPeople } from './figures.tsx'
import { Funnel } from './funnel.tsx'
import { LinkMap } from './link-map.tsx'
import { OverTime } from './over-time.tsx'
import { createReportStore } from './report-store.ts'
import { css } from './report.css'

const sheet = createSheet(css)

interface Props {
  campaign: Pick<Campaign, 'id' | 'body' | 'context' | 'status'>
  onShow: ShowPeople
  /** Asks for the copy for those who did not open. */
  onResend: () => void
}

/** What became of a campaign, live. `onShow` opens the recipients behind a figure. */
export function CampaignReport({ campaign, onShow, onResend }: Props) {
  const t = useText()
  useSheet(sheet)
  const { session } = useApp()
  const { id } = campaign
  const isEnded = campaign.status === 'finished' || campaign.status === 'cancelled'
  const [store] = useState(() => createReportStore(session, id))
  useEffect(() => {
    return store.start()
  }, [store])
  const { status, error, report, isLive, updatedAt } = useSnapshot(store.state)
  return (
    <section className="report" aria-label={t('Report')}>
      <div className="report-top">
        <h2>{t('Report')}</h2>
        {report && <Freshness isLive={isLive} updatedAt={updatedAt} />}
        {report?.tracking === 'identified' && isEnded && (
          <Button size="small" icon={send} onClick={onResend}>
            {t('Resend to those who did not open')}
          </Button>
        )}
        {report && (
          <Button size="small" onClick={() => window.print()}>
            {t('Print or save as PDF')}
          </Button>
        )}
      </div>
      {status === 'loading' && (
        <div className="panel report-skeleton">
          <SkeletonRows widths={['46%', '58%', '40%', '52%', '44%']} second="28%" />
        </div>
      )}
      {status === 'failed' && (
        <div className="panel report-skeleton">
          <ErrorState
            level={2}
            title={t('The report could not be loaded')}
            text={error}
            onRetry={() => store.retry()}
          />
        </div>
      )}
      {status === 'ready' && report && <Figures report={report as Report} campaign={campaign} onShow={onShow} />}
    </section>
  )
}

function Figures({ report, campaign, onShow }: Pick<Props, 'campaign' | 'onShow'> & { report: Report }) {
  const t = useText()
  if (report.sent + report.bounced === 0) {
    return (
      <div className="panel report-skeleton">
        <EmptyState
          level={2}
          icon={gauge}
          title={t('The first figures come with the first mail')}
          text={t('This page updates while the campaign is sent.')}
        />
      </div>
    )
  }
  const isIdentified = report.tracking === 'identified'
  return (
    <div className={isIdentified && report.links.length > 0 ? 'report-grid with-mail' : 'report-grid'}>
      <div className="report-main">
        <Funnel report={report} onShow={onShow} />
        {isIdentified && <OverTime hours={report.hours} />}
        <div className="report-pair">
          {report.domains.length > 0 && <ByDomain report={report} onShow={onShow} />}
          <Bounces report={report} onShow={onShow} />
          {report.mailboxes.length > 0 && <ByMailbox report={report} onShow={onShow} />}
        </div>
      </div>
      {isIdentified && report.links.length > 0 && (
        <LinkMap body={campaign.body} context={campaign.context} links={report.links} onShow={onShow} />
      )}
    </div>
  )
}

/** How old the figures are, or that the connection is lost. */
function Freshness({ isLive, updatedAt }: { isLive: boolean; updatedAt: number }) {
  const t = useText()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((now - updatedAt) / 1000))
  return (
    <p className={isLive ? 'report-fresh' : 'report-fresh lost'}>
      {isLive ? (
        seconds < 60 ? (
          t('Updated {n} s ago', { n: seconds })
        ) : (
          t('Updated {n} min ago', { n: Math.floor(seconds / 60) })
        )
      ) : (
        <span role="status">{t('Connection lost, retrying')}</span>
      )}
    </p>
  )
}
