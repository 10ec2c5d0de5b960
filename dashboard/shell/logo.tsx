import { Icon } from '../../widgets/kit/icon/icon.tsx'
import { send } from '../../widgets/kit/icon/icons.ts'
import { productName } from '../content/product.ts'

/** The product's mark and name, linking to /. */
export function Logo() {
  return (
    <a className="logo" href="/">
      <span className="logo-mark">
        <Icon of={send} size={15} />
      </span>
      {productName}
    </a>
  )
}
