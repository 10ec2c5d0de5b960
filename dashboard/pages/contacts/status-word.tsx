import type { ContactStatus } from '../../../contract/audience/contact.ts'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { statusLabels } from './contact-text.ts'

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
