import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { arrowLeft } from '../../widgets/kit/icon/icons.ts'

/** Link from one entry back to the list of its screen, or to `href`. */
export function BackLink({ href = '#all', children }: { href?: string; children: string }) {
  return (
    <a className="screen-back" href={href}>
      <Icon of={arrowLeft} size={16} /> {children}
    </a>
  )
}
