import type { CampaignReport } from '../../../../contract/results/report.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import type { RecipientAct } from '../../../../contract/mail/campaign-recipient.ts'
import { Figure, percent, type ShowPeople } from './figures.tsx'

interface Step {
  name: string
  count: number
  /** Of what the rate is; null: no rate. */
  of: number | null
  /** Those for whom machines only did it; null where no machine does. */
  machines: MachineActs | null
  note: string | null
  did: RecipientAct
}

interface MachineActs {
  count: number
  probable: number
  did: RecipientAct
}

/** From sent to replied: count, rate and bar of each step. Machines are hatched behind the bar and in no rate. */
export function Funnel({ report, onShow }: { report: CampaignReport; onShow: ShowPeople }) {
  const t = useText()
  const steps = stepsOf(report, t)
  const widest = Math.max(1, ...steps.map(({ count, machines }) => count + (machines?.count ?? 0)))
  const number = (count: number) => count.toLocaleString(t.lang)
  const hasMachines = steps.some(({ machines }) => machines !== null && machines.count > 0)
  return (
    <section className="panel report-card report-funnel" aria-labelledby="report-funnel">
      <div className="report-head">
        <h2 id="report-funnel">
          {report.tracking === 'identified' ? t('From sent to clicked') : t('From sent to delivered')}
        </h2>
        {hasMachines && (
          <p className="report-keys" aria-hidden="true">
            <span className="report-key people">{t('People')}</span>
            <span className="report-key machines">{t('Machines, never in a rate')}</span>
          </p>
        )}
      </div>
      <ul className="report-steps">
        {steps.map(({ name, count, of, machines, note, did }) => (
          <li key={name}>
            <span className="report-name">{name}</span>
            <Figure count={count} name={name} lang={t.lang} onShow={() => onShow({ did })} />
            <span className="report-rate">{of === null ? '' : percent(count, of, t.lang)}</span>
            <span className="report-bar" aria-hidden="true">
              <span style={{ width: `${(count / widest) * 100}%` }} />
              {machines !== null && machines.count > 0 && (
                <span className="machines" style={{ width: `${(machines.count / widest) * 100}%` }} />
              )}
            </span>
            <span className="report-note">
              {machines !== null && machines.count > 0 ? (
                <Machines machines={machines} onShow={onShow} />
              ) : (
                (note ?? '')
              )}
            </span>
          </li>
        ))}
      </ul>
      <ul className="report-others">
        <li>
          <Figure
            count={report.unsubscribed}
            name={t('Unsubscribed')}
            lang={t.lang}
            onShow={() => onShow({ did: 'unsubscribed' })}
          />{' '}
          {t('unsubscribed')} {share(report.unsubscribed, report.delivered, t.lang)}
        </li>
        <li>
          <Figure
            count={report.complained}
            name={t('Called it spam')}
            lang={t.lang}
            onShow={() => onShow({ did: 'complained' })}
          />{' '}
          {t('called it spam')} {share(report.complained, report.delivered, t.lang)}
        </li>
      </ul>
      {report.tracking === 'off' && (
        <p className="report-off">{t('Tracking was off for this campaign. Opens and clicks are not measured.')}</p>
      )}
      {report.tracking === 'counts' && (
        <p className="report-off">
          {t('Only totals are measured: {opens} opens and {clicks} clicks, without people.', {
            opens: number(report.opened.events),
            clicks: number(report.clicked.events),
          })}
        </p>
      )}
    </section>
  )
}

/** What machines did, beside the figure; opens the recipients. */
function Machines({ machines: { count, probable, did }, onShow }: { machines: MachineActs; onShow: ShowPeople }) {
  const t = useText()
  const number = (one: number) => one.toLocaleString(t.lang)
  return (
    <button type="button" className="report-machines" onClick={() => onShow({ did })}>
      {t('+ {n} by machines', { n: number(count) })}
      {probable > 0 && ` ${t('({n} probable)', { n: number(probable) })}`}
    </button>
  )
}

function share(part: number, whole: number, lang: string | undefined): string {
  const text = part === 0 ? null : percent(part, whole, lang)
  return text === null ? '' : `(${text})`
}

function stepsOf(report: CampaignReport, t: ReturnType<typeof useText>): Step[] {
  const { sent, delivered, opened, clicked, bounced } = report
  const number = (count: number) => count.toLocaleString(t.lang)
  const bouncedNote = bounced > 0 ? t('{number} bounced', { number: number(bounced) }) : null
  const steps: Step[] = [
    { name: t('Sent'), count: sent, of: null, machines: null, note: null, did: 'sent' },
    { name: t('Delivered'), count: delivered, of: sent, machines: null, note: bouncedNote, did: 'delivered' },
  ]
  if (report.tracking === 'identified') {
    steps.push(
      {
        name: t('Opened'),
        count: opened.people,
        of: delivered,
        machines: { count: opened.machines, probable: opened.probable, did: 'opened_by_machines' },
        note: null,
        did: 'opened',
      },
      {
        name: t('Clicked'),
        count: clicked.people,
        of: delivered,
        machines: { count: clicked.machines, probable: clicked.probable, did: 'clicked_by_machines' },
        note: null,
        did: 'clicked',
      },
    )
  }
  // Replies are known where the mailbox is read.
  if (report.replied + report.auto_replied > 0) {
    const note = report.auto_replied > 0 ? t('+ {n} auto-replies', { n: number(report.auto_replied) }) : null
    steps.push({ name: t('Replied'), count: report.replied, of: delivered, machines: null, note, did: 'replied' })
  }
  return steps
}
