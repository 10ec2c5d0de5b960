import type { ContactStatus } from '../../../contract/audience/contact.ts'
import type { MemberState } from '../../../contract/audience/segment-rule.ts'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { circleCheck, circleDashed, circleMinus } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { memberStateLabels, statusLabels } from './contact-text.ts'

/** A contact's status as icon and word. */
export function StatusWord({ status }: { status: ContactStatus }) {
  const t = useText()
  const { word, icon, tone } = statusLabels[status]
  return (
    <span className={`contact-status ${tone}`}>
      <Icon of={icon} size={16} />
      {t(word)}
    </span>
  )
}

const memberIcons = { subscribed: circleCheck, pending: circleDashed, unsubscribed: circleMinus }

/** The state of a membership as icon and word. */
export function MemberWord({ state }: { state: MemberState }) {
  const t = useText()
  return (
    <span className={state === 'subscribed' ? 'contact-status good' : 'contact-status'}>
      <Icon of={memberIcons[state]} size={16} />
      {t(memberStateLabels[state] ?? state)}
    </span>
  )
}
