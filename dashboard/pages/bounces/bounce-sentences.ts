import type { Bounce } from '../../../contract/inbox/bounce.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { reasonWords } from './bounce-words.ts'

/** What came back and why, in one sentence. */
export function bounceSentence(t: Translate<string>, { kind, reason, is_later: isLater }: Bounce): string {
  const why = t(reasonWords(reason))
  if (kind === 'delayed') return t('Delayed: {why}. The mail server goes on trying.', { why })
  if (kind === 'refused') return t('The receiving server refused the mailbox that sends: {why}.', { why })
  return isLater
    ? t('Bounced after it was sent: {why}.', { why })
    : t('The mail server refused it while it was sent: {why}.', { why })
}

/** What was done about it, and why. */
export function doneSentence(t: Translate<string>, bounce: Bounce): string {
  const { kind, action, suppression, is_verified: isVerified, waiting_count: waiting } = bounce
  if (!isVerified) return t('Nothing was done: nothing proves where this report comes from.')
  if (kind === 'delayed') return t('Nothing was done: the mail may still arrive.')
  if (suppression?.reason === 'unsubscribed') return t('The address is suppressed: the person unsubscribed.')
  if (suppression?.reason === 'complained') return t('The address is suppressed: the person called a mail spam.')
  if (suppression !== null) {
    return action === 'dead'
      ? t('The address is suppressed, because nothing can be delivered to it. No further mail is sent to it.')
      : t('The address is suppressed, because its mails came back five times in a row over at least seven days.')
  }
  if (action === 'dead') return t('The suppression was undone: mails to this address are sent.')
  if (action === 'mail') return t('The address is not suppressed: the mail was refused, not the recipient.')
  if (action === 'sender') {
    return t('The address is not suppressed: the recipient is not the cause. Several such refusals pause the mailbox.')
  }
  return t(
    'The address waits: {count} bounce in a row. It is suppressed at five in a row over at least seven days.|The address waits: {count} bounces in a row. It is suppressed at five in a row over at least seven days.',
    { count: waiting },
  )
}
