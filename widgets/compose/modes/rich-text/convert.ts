import type { Node } from '@tiptap/pm/model'
import type { Block, Design, TextBlock, Theme } from '../../../../contract/design/design.ts'
import { toFlow, toInline, toNodes, toParagraph } from './inline.ts'
import { blockOf, levelOf, originOf, schema, type BlockOrigin } from './schema.ts'

const { nodes } = schema

/** Theme of a letter: that of a mail program. */
const letterTheme: Theme = {
  width: 600,
  background: '#ffffff',
  surface: '#ffffff',
  text: '#1f1f1f',
  link: '#0f6b4f',
  accent: '#0f6b4f',
  font: 'helvetica',
  headingFont: 'helvetica',
  radius: 6,
  dark: 'auto',
}

/** A letter of these blocks, in one row. */
export function letterOf(blocks: Block[], before?: Design | null): Design {
  return {
    version: 1,
    layout: 'letter',
    theme: before?.theme ?? letterTheme,
    preheader: before?.preheader ?? '',
    ...(before?.language !== undefined && { language: before.language }),
    rows: [{ id: before?.rows[0]?.id ?? 'letter', stackOnPhone: true, columns: [{ span: 12, blocks }] }],
  }
}

/** Whether nothing is written. */
export function isBlank(doc: Node): boolean {
  return doc.childCount === 1 && doc.firstChild?.type === nodes.paragraph && doc.firstChild.childCount === 0
}

/** All blocks of a design, one after the other, as the document of the editor. */
export function toDocument(design: Design | null): Node {
  const blocks = design?.rows.flatMap(({ columns }) => columns.flatMap((column) => column.blocks)) ?? []
  const content = blocks.flatMap(toBlockNodes)
  return nodes.doc.create(null, content.length > 0 ? content : nodes.paragraph.create())
}

function toBlockNodes(block: Block): Node[] {
  if (block.type === 'heading') {
    const { content, ...rest } = block
    return [nodes.heading.create({ level: block.level, block: rest }, toNodes(content))]
  }
  if (block.type !== 'text' && block.type !== 'footer') return [nodes.object.create({ block })]
  const { id, type, style, content, ...box } = block
  const origin: BlockOrigin = {
    ...{ id, type },
    ...(style && { style }),
    ...(Object.keys(box).length > 0 && { box }),
  }
  const flow = toFlow(content, { origin })
  return flow.length > 0 ? flow : [nodes.paragraph.create({ origin })]
}

/** The document of the editor as blocks. Paragraphs and lists that follow each other are one text block; ids stay unique. */
export function toBlocks(doc: Node): Block[] {
  const blocks: Block[] = []
  const used = new Set<string>()
  const newId = (wanted: string) => {
    let id = wanted
    for (let no = 2; used.has(id); no++) id = `${wanted}-${no}`
    used.add(id)
    return id
  }
  let text: TextBlock | null = null
  let textOrigin: string | null = null
  doc.forEach((node) => {
    if (node.type === nodes.heading) {
      text = null
      const kept = node.attrs['block'] as Partial<Block> | null
      const id = newId(kept?.id ?? 'heading')
      blocks.push({ ...kept, id, type: 'heading', level: levelOf(node), content: toInline(node) })
    } else if (node.type === nodes.object) {
      text = null
      const block = blockOf(node)
      blocks.push({ ...block, id: newId(block.id) })
    } else {
      const origin = originOf(node)
      if (text === null || (origin !== null && origin.id !== textOrigin)) {
        const { id = 'text', type = 'text', style, box } = origin ?? ({} as Partial<BlockOrigin>)
        text = { ...box, id: newId(id), type, content: [], ...(style && { style }) }
        textOrigin = origin?.id ?? null
        blocks.push(text)
      }
      text.content.push(toParagraph(node))
    }
  })
  return blocks
}

/** The document of the editor as a letter; what else `before` held of the message stays. */
export const toLetter = (doc: Node, before: Design | null): Design => letterOf(toBlocks(doc), before)
