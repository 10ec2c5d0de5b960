import type { Campaign } from '../../../contract/mail/campaign.ts'
import { fillMessage } from '../../../widgets/compose/preview/preview.ts'
import { MailFrame } from '../../../widgets/kit/mail/mail-frame.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** What will be sent, with the values that are the same for everybody. */
export function CampaignMail({ campaign: { subject, body, context } }: { campaign: Campaign }) {
  const t = useText()
  const given = Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
  const mail = fillMessage(subject, body, given)
  return (
    <section className="panel campaign-mail" aria-label={t('Message')}>
      <h2 translate="no">{mail.subject}</h2>
      <div className="campaign-mail-frame">
        <MailFrame html={mail.html} title={t('Preview of {subject}', { subject: mail.subject })} />
      </div>
      {mail.problem !== null && <p className="campaign-note">{mail.problem}</p>}
    </section>
  )
}
