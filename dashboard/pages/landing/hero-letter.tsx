import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { check, send } from '../../../widgets/kit/icon/icons.ts'
import { Postmark } from './postmark.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

const arrivals = ['visitor-1@example.org', 'visitor-2@example.org', 'visitor-3@example.org']
const firstName = <code>{'{{first_name}}'}</code>

/** A drawing of a launched message and its first recipients; its label describes it. */
export function HeroLetter() {
  const t = useText()
  return (
    <div
      className="letter"
      role="img"
      aria-label={t('A message to 312 guests, stamped, and the first of them reached')}
    >
      <div className="letter-sheet" aria-hidden="true">
        <div className="letter-bar">
          <span>{t('Send Email')}</span>
        </div>
        <div className="letter-row">
          <span>{t('From')}</span>
          <b>studio@northwind.example</b>
        </div>
        <div className="letter-row">
          <span>{t('Recipients')}</span>
          <span className="letter-chips">
            <i>visitor-1@example.org</i>
            <i>{t('+ {count} more', { count: 311 })}</i>
          </span>
        </div>
        <div className="letter-row">
          <span>{t('Subject')}</span>
          <span>{richText(t, 'Doors open Thursday, {name}', { name: firstName })}</span>
        </div>
        <div className="letter-body">
          <span>{richText(t, 'Dear {name},', { name: firstName })}</span>
          <span>{t('we kept two places for you. The new galleries open at six; the talk begins at seven.')}</span>
        </div>
        <div className="letter-foot">
          <span className="button primary normal">
            <Icon of={send} />
            {t('Launch Message')}
          </span>
        </div>
      </div>
      <Postmark ring={t('ACCEPTED ONCE, SENT ONCE')} middle={['12:04', t('THURSDAY')]} />
      <div className="letter-slip" aria-hidden="true">
        <b>{t('Sent to {sent} of {all}', { sent: '312', all: '312' })}</b>
        {arrivals.map((address) => (
          <span key={address}>
            <Icon of={check} size={14} />
            {address}
            <i>250 OK</i>
          </span>
        ))}
      </div>
    </div>
  )
}
