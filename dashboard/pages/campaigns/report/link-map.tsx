import { useCallback, useId, useMemo } from 'react'
import type { Campaign } from '../../../../contract/mail/campaign.ts'
import type { CampaignReport } from '../../../../contract/results/report.ts'
import { fillMessage } from '../../../../widgets/compose/preview/preview.ts'
import { MailFrame } from '../../../../widgets/kit/mail/mail-frame.tsx'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { Figure, type ShowPeople } from './figures.tsx'
import { drawHeat, markLinks } from './heat-mail.ts'

interface Props {
  /** HTML of the mail, and the values that are the same for everybody. */
  body: string
  context: Campaign['context']
  links: CampaignReport['links']
  onShow: ShowPeople
}

/** The mail with the clicks of each link on it, and the table of the same figures. */
export function LinkMap({ body, context, links, onShow }: Props) {
  const t = useText()
  const id = useId()
  const html = useMemo(() => {
    const given = Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
    return fillMessage('', markLinks(body, links), given).html
  }, [body, context, links])
  const draw = useCallback(
    (mail: HTMLElement) =>
      drawHeat(
        mail,
        links,
        ({ people: count, clicks }) => `${count.toLocaleString(t.lang)} · ${clicks.toLocaleString(t.lang)}`,
      ),
    [links, t.lang],
  )
  const people = t('People')
  return (
    <section className="panel report-card report-links" aria-labelledby={id}>
      <div className="report-head">
        <h2 id={id}>{t('Where they clicked')}</h2>
        <p className="report-small">{t('On each link: people · clicks')}</p>
      </div>
      <div className="report-mail">
        <MailFrame html={html} title={t('The mail with the clicks on its links')} onDrawn={draw} />
      </div>
      <div className="report-scroll" tabIndex={0} role="group" aria-label={t('Clicks by link')}>
        <table className="report-table">
          <caption className="hidden-text">{t('Clicks by link')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Link')}</th>
              <th scope="col">{people}</th>
              <th scope="col">{t('Clicks')}</th>
              <th scope="col">{t('Machines')}</th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <tr key={link.no}>
                <th scope="row" translate="no" title={link.url}>
                  {nameOf(link)}
                </th>
                <td>
                  <Figure
                    count={link.people}
                    name={nameOf(link)}
                    lang={t.lang}
                    onShow={() => onShow({ did: 'clicked', link: String(link.no) })}
                  />
                </td>
                <td>{link.clicks.toLocaleString(t.lang)}</td>
                <td>{link.machines === 0 ? '0' : `+ ${link.machines.toLocaleString(t.lang)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function nameOf({ label, url }: CampaignReport['links'][number]): string {
  return label === null || label.trim() === '' ? url.replace(/^https?:\/\//, '') : label
}
