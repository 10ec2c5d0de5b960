import { Fragment } from '@tiptap/pm/model'
import type { Block, ButtonBlock, ImageBlock, TableBlock } from '../../../../contract/design/design.ts'
import type { Translate } from '../../../lib/messages/messages.ts'
import { toInline } from '../rich-text/inline.ts'
import { inlineOf } from '../rich-text/plain.ts'
import type { MessageId } from '../../../lib/messages/messages-es.ts'

type Text = Translate<MessageId>

/** Space below a block in a letter. */
const below = { padding: [0, 0, 16, 0] as [number, number, number, number] }

const newId = (kind: string) => `${kind}-${crypto.randomUUID().slice(0, 8)}`

export const newButton = (t: Text): ButtonBlock => ({
  ...{ id: newId('button'), type: 'button' },
  ...{ label: t('Button'), href: 'https://example.com' },
  ...below,
})

export function newTable(t: Text): TableBlock {
  const cell = (text: string, header: boolean) => ({
    blocks: cellBlocks(text),
    padding: cellPadding,
    ...(header && { header }),
  })
  return {
    ...{ id: newId('table'), type: 'table' },
    rows: [
      { cells: [cell(t('Heading'), true), cell(t('Heading'), true)] },
      { cells: [cell('', false), cell('', false)] },
    ],
    ...below,
  }
}

const cellPadding: [number, number, number, number] = [6, 12, 6, 0]

/** The content of a cell with one text. */
export const cellBlocks = (text: string): Block[] =>
  text === ''
    ? []
    : [
        {
          id: newId('cell'),
          type: 'text',
          content: [{ type: 'paragraph', content: toInline(Fragment.from(inlineOf(text))), style: { after: 0 } }],
        },
      ]

/** A cell like the others of a table. */
export const newCell = (header: boolean) => ({ blocks: [], padding: cellPadding, ...(header && { header }) })

export const newImage = (image: Pick<ImageBlock, 'src' | 'alt'> & { width?: number }): ImageBlock => ({
  ...{ id: newId('image'), type: 'image' },
  ...image,
  ...below,
})
