import { useCallback } from 'react'
import type { CallOptions } from '../../../client/core/http.ts'
import { getEmailCampaign } from '../../../client/mail/campaign.ts'
import { getCampaignReport } from '../../../client/results/report.ts'
import type { CampaignReport } from '../../../contract/results/report.ts'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { BackLink } from '../../kit/back-link.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { useLoaded } from '../../kit/use-loaded.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { nameOf } from './campaign-labels.ts'
import { percent } from './report/figures.tsx'
import { css } from './report/report.css'

const sheet = createSheet(css)

interface Compared {
  id: string
  name: string
  report: CampaignReport
}

/** The same figures and rates of several campaigns, side by side. */
export function ComparePage({ ids }: { ids: readonly string[] }) {
  const t = useText()
  useSheet(sheet)
  const { session } = useApp()
  const text = ids.join(',')
  const load = useCallback(
    (options: CallOptions): Promise<Compared[]> =>
      Promise.all(
        text.split(',').map(async (id) => {
          const [campaign, report] = await Promise.all([
            getEmailCampaign(session, id, options),
            getCampaignReport(session, id, options),
          ])
          return { id, name: nameOf(campaign), report }
        }),
      ),
    [session, text],
  )
  const { loaded, reload } = useLoaded(load)
  return (
    <>
      <BackLink>{t('All campaigns')}</BackLink>
      <ScreenHeader title={t('Compare campaigns')}>
        {t('Opens and clicks count people; machines are left out.')}
      </ScreenHeader>
      <section className="panel report-card report-compare" aria-label={t('Figures')}>
        {loaded.status === 'loading' && <SkeletonRows widths={['46%', '58%', '40%']} second="28%" />}
        {loaded.status === 'failed' && (
          <ErrorState level={2} title={t('The campaigns could not be loaded')} text={loaded.error} onRetry={reload} />
        )}
        {loaded.status === 'ready' && <Figures compared={loaded.value} />}
      </section>
    </>
  )
}

interface Line {
  name: string
  count: (report: CampaignReport) => number | null
  /** Of what the rate is. */
  of: (report: CampaignReport) => number | null
}

const measured = ({ tracking }: CampaignReport, count: number) => (tracking === 'identified' ? count : null)
const delivered = ({ delivered: whole }: CampaignReport) => whole

const lines: readonly Line[] = [
  { name: 'Sent', count: ({ sent }) => sent, of: () => null },
  { name: 'Delivered', count: delivered, of: ({ sent }) => sent },
  { name: 'Opened', count: (report) => measured(report, report.opened.people), of: delivered },
  { name: 'Clicked', count: (report) => measured(report, report.clicked.people), of: delivered },
  { name: 'Replied', count: ({ replied }) => replied, of: delivered },
  {
    name: 'Bounced',
    count: ({ bounced }) => bounced,
    of: ({ sent, delivered: whole, bounced }) => Math.max(sent, whole + bounced),
  },
  { name: 'Unsubscribed', count: ({ unsubscribed }) => unsubscribed, of: delivered },
  { name: 'Called it spam', count: ({ complained }) => complained, of: delivered },
]

function Figures({ compared }: { compared: readonly Compared[] }) {
  const t = useText()
  const name = t('Figures')
  return (
    <div className="report-scroll" tabIndex={0} role="group" aria-label={name}>
      <table className="report-table">
        <caption className="hidden-text">{name}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Figure')}</th>
            {compared.map((one) => (
              <th scope="col" key={one.id}>
                <a href={`#${one.id}`} translate="no">
                  {one.name}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <th scope="row">{t(line.name)}</th>
              {compared.map(({ id, report }) => (
                <Cell key={id} report={report} line={line} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ report, line }: { report: CampaignReport; line: Line }) {
  const t = useText()
  const count = line.count(report)
  if (count === null) return <td>{report.tracking === 'off' ? t('tracking off') : t('totals only')}</td>
  const of = line.of(report)
  const rate = of === null ? null : percent(count, of, t.lang)
  return (
    <td>
      <b>{count.toLocaleString(t.lang)}</b>
      {rate !== null && <span className="report-rate"> {rate}</span>}
    </td>
  )
}
