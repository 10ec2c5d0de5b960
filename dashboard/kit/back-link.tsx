import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { arrowLeft } from '../../widgets/kit/icon/icons.ts'

/** Link from one entry back to the list of its screen. */
export function BackLink({ children }: { children: string }) {
  return (
    <a className="screen-back" href="#all">
      <Icon of={arrowLeft} size={16} /> {children}
    </a>
  )
}
