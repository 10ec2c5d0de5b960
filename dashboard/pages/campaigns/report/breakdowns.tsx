import { useId } from 'react'
import type { CampaignReport } from '../../../../contract/results/report.ts'
import type { RecipientAct } from '../../../../contract/mail/campaign-recipient.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { Figure, percent, type ShowPeople } from './figures.tsx'
import { isWaiting, reasonWords } from '../../bounces/bounce-words.ts'

type Counts = Pick<CampaignReport['mailboxes'][number], 'sent' | 'opened' | 'clicked' | 'bounced' | 'unsubscribed'>

interface Row extends Counts {
  key: string
  name: string
  onShow?: (did: RecipientAct | '') => void
}

/** Figures by domain: those with most mails, and one row for the rest. */
export function ByDomain({ report, onShow }: { report: CampaignReport; onShow: ShowPeople }) {
  const t = useText()
  const rows = report.domains.map((row): Row =>
    row.domain === null
      ? { ...row, key: '', name: t('{count} other domain|{count} other domains', { count: row.domains }) }
      : { ...row, key: row.domain, name: row.domain, onShow: (did) => onShow({ did, domain: row.domain ?? '' }) },
  )
  return (
    <CountTable title={t('By domain')} first={t('Domain')} rows={rows} hasActs={report.tracking === 'identified'} />
  )
}

/** Figures by the mailbox that sent. */
export function ByMailbox({ report, onShow }: { report: CampaignReport; onShow: ShowPeople }) {
  const t = useText()
  const rows = report.mailboxes.map((row): Row => ({
    ...row,
    key: row.config_id,
    name: row.email_address,
    onShow: (did) => onShow({ did, mailbox: row.config_id }),
  }))
  return (
    <CountTable title={t('By mailbox')} first={t('Mailbox')} rows={rows} hasActs={report.tracking === 'identified'} />
  )
}

interface TableProps {
  title: string
  first: string
  rows: readonly Row[]
  hasActs: boolean
}

function CountTable({ title, first, rows, hasActs }: TableProps) {
  const t = useText()
  const id = useId()
  const share = (part: number, { sent }: Counts) => percent(part, sent, t.lang) ?? '–'
  return (
    <section className="panel report-card" aria-labelledby={id}>
      <div className="report-head">
        <h2 id={id}>{title}</h2>
      </div>
      <div className="report-scroll" tabIndex={0} role="group" aria-labelledby={id}>
        <table className="report-table">
          <thead>
            <tr>
              <th scope="col">{first}</th>
              <th scope="col">{t('Sent')}</th>
              {hasActs && <th scope="col">{t('Opened')}</th>}
              {hasActs && <th scope="col">{t('Clicked')}</th>}
              <th scope="col">{t('Bounced')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row" translate="no">
                  <Address text={row.name} />
                </th>
                <Cell row={row} did="sent" label={t('Sent')} />
                {hasActs && <Cell row={row} did="opened" label={t('Opened')} text={share(row.opened, row)} />}
                {hasActs && <Cell row={row} did="clicked" label={t('Clicked')} text={share(row.clicked, row)} />}
                <Cell row={row} did="bounced" label={t('Bounced')} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** An address breaks after its @, where it has to. */
function Address({ text }: { text: string }) {
  const at = text.indexOf('@') + 1
  return (
    <>
      {text.slice(0, at)}
      {at > 0 && <wbr />}
      {text.slice(at)}
    </>
  )
}

interface CellProps {
  row: Row
  did: keyof Counts & RecipientAct
  label: string
  text?: string
}

/** A figure of a row, which opens the people that it counts. */
function Cell({ row, did, label, text }: CellProps) {
  const t = useText()
  const { name, onShow } = row
  return (
    <td>
      <Figure
        count={row[did]}
        name={`${name}, ${label}`}
        lang={t.lang}
        {...(text !== undefined && { text })}
        {...(onShow && { onShow: () => onShow(did) })}
      />
    </td>
  )
}

/** Bounces by reason. */
export function Bounces({ report, onShow }: { report: CampaignReport; onShow: ShowPeople }) {
  const t = useText()
  const id = useId()
  const { bounces, bounced } = report
  if (bounced === 0) return null
  const waiting = bounces.filter(({ reason }) => isWaiting(reason))
  const waitingCount = waiting.reduce((sum, { people }) => sum + people, 0)
  return (
    <section className="panel report-card" aria-labelledby={id}>
      <div className="report-head">
        <h2 id={id}>{t('Why {number} bounced', { number: bounced.toLocaleString(t.lang) })}</h2>
      </div>
      <ul className="report-reasons">
        {bounces.map(({ reason, people }) => (
          <li key={reason}>
            <span>{t(reasonWords(reason))}</span>
            <Figure
              count={people}
              name={t(reasonWords(reason))}
              lang={t.lang}
              onShow={() => onShow({ did: 'bounced', reason })}
            />
          </li>
        ))}
      </ul>
      {waitingCount > 0 && (
        <p className="report-none">
          {t('{count} address is waiting ({reasons})|{count} addresses are waiting ({reasons})', {
            count: waitingCount,
            reasons: waiting.map(({ reason }) => t(reasonWords(reason))).join(', '),
          })}
        </p>
      )}
    </section>
  )
}
