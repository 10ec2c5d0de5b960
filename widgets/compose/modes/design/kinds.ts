import type { IconData } from '../../../kit/icon/icon.tsx'
import {
  codeXml,
  heading,
  image,
  menu,
  minus,
  moveVertical,
  panelBottom,
  pilcrow,
  rectangle,
  share,
  shoppingBag,
  table,
} from '../../../kit/icon/icons.ts'
import { blockNames } from './document/block-names.ts'
import type { BlockKind } from './document/new-blocks.ts'

/** Name and picture of each kind of block. */
export const kinds: Readonly<Record<BlockKind, { text: string; icon: IconData }>> = {
  heading: { text: blockNames.heading, icon: heading },
  text: { text: blockNames.text, icon: pilcrow },
  button: { text: blockNames.button, icon: rectangle },
  image: { text: blockNames.image, icon: image },
  divider: { text: blockNames.divider, icon: minus },
  spacer: { text: blockNames.spacer, icon: moveVertical },
  table: { text: blockNames.table, icon: table },
  social: { text: blockNames.social, icon: share },
  product: { text: blockNames.product, icon: shoppingBag },
  menu: { text: blockNames.menu, icon: menu },
  html: { text: blockNames.html, icon: codeXml },
  footer: { text: blockNames.footer, icon: panelBottom },
}
