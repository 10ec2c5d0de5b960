import type { Block } from '../../../../../contract/design/design.ts'

/** What a person calls each kind of block. */
export const blockNames: Readonly<Record<Block['type'], string>> = {
  ...{ heading: 'Heading', text: 'Text', button: 'Button', image: 'Image', divider: 'Divider', spacer: 'Spacer' },
  ...{ table: 'Table', social: 'Social links', product: 'Product', menu: 'Menu', html: 'HTML', footer: 'Footer' },
}
