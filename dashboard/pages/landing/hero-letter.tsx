import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { check, send } from '../../../widgets/kit/icon/icons.ts'
import { Postmark } from './postmark.tsx'

const arrivals = ['visitor-1@example.org', 'visitor-2@example.org', 'visitor-3@example.org']

/** A message being launched, and the first recipients who have it. A drawing: it is told in one sentence. */
export function HeroLetter() {
  return (
    <div className="letter" role="img" aria-label="A message to 312 guests, stamped, and the first of them reached">
      <div className="letter-sheet" aria-hidden="true">
        <div className="letter-bar">
          <span>Send Email</span>
        </div>
        <div className="letter-row">
          <span>From</span>
          <b>studio@northwind.example</b>
        </div>
        <div className="letter-row">
          <span>Recipients</span>
          <span className="letter-chips">
            <i>visitor-1@example.org</i>
            <i>+ 311 more</i>
          </span>
        </div>
        <div className="letter-row">
          <span>Subject</span>
          <span>
            Doors open Thursday, <code>{'{{first_name}}'}</code>
          </span>
        </div>
        <div className="letter-body">
          <span>
            Dear <code>{'{{first_name}}'}</code>,
          </span>
          <span>we kept two places for you. The new galleries open at six; the talk begins at seven.</span>
        </div>
        <div className="letter-foot">
          <span className="button primary normal">
            <Icon of={send} />
            Launch Message
          </span>
        </div>
      </div>
      <Postmark ring="ACCEPTED ONCE, SENT ONCE" middle={['12:04', 'THURSDAY']} />
      <div className="letter-slip" aria-hidden="true">
        <b>Sent to 312 of 312</b>
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
