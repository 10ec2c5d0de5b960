import { Icon } from '../../../widgets/kit/icon.tsx'
import { arrowLeft } from '../../../widgets/kit/icons.ts'

/** The way back to the list. */
export function BackToEmbeds() {
  return (
    <a className="screen-back" href="#all">
      <Icon of={arrowLeft} size={16} />
      All embeds
    </a>
  )
}
