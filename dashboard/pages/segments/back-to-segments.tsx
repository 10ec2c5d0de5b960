import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { arrowLeft } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** The way back to the list. */
export function BackToSegments() {
  const t = useText()
  return (
    <a className="screen-back" href="/dashboard/segments">
      <Icon of={arrowLeft} size={16} />
      {t('Segments')}
    </a>
  )
}
