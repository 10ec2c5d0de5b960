import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { arrowLeft } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Link back to the list. */
export function BackToEmbeds() {
  const t = useText()
  return (
    <a className="screen-back" href="#all">
      <Icon of={arrowLeft} size={16} />
      {t('All embeds')}
    </a>
  )
}
