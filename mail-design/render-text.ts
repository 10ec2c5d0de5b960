import type { Block, Design, Inline, List, Paragraph } from '../contract/design/design.ts'
import { parseTemplate } from '../contract/mail/merge-variables.ts'
import { htmlText } from './html-text.ts'
import { escapePlain, variableTag } from './merge-text.ts'
import { withCondition } from './with-condition.ts'

/**
 * The plain-text part of a valid design, as a template of the merge grammar: words and link addresses in reading order,
 * blocks separated by blank lines. Ornaments and images without a description are left out.
 */
export function renderText(design: Design): string {
  const rows = design.rows.map(({ columns, showIf }) => {
    const text = joinBlocks(columns.flatMap(({ blocks }) => blocks))
    return text === '' ? '' : withCondition(showIf, `${text}\n\n`)
  })
  return `${rows.join('').trimEnd()}\n`
}

function joinBlocks(blocks: readonly Block[]): string {
  return blocks
    .map(textOf)
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}

function textOf(block: Block): string {
  switch (block.type) {
    case 'heading':
      return inlineText(block.content)
    case 'text':
    case 'footer':
      return block.content.map(paragraphText).join('\n\n')
    case 'button':
      return withAddress(templateText(block.label), block.href)
    case 'image':
      return block.href === undefined ? templateText(block.alt) : withAddress(templateText(block.alt), block.href)
    case 'divider':
      return '---'
    case 'spacer':
      return ''
    case 'html':
      return htmlText(block.html)
    case 'menu':
    case 'social':
      return block.links.map(({ label, href }) => withAddress(templateText(label), href)).join('\n')
    case 'table':
      return block.rows
        .filter(({ decorative }) => decorative !== true)
        .map(({ cells }) => cells.map(({ blocks }) => joinBlocks(blocks)))
        .map((cells) =>
          cells.filter((text) => text !== '').join(cells.some((text) => text.includes('\n')) ? '\n' : '  '),
        )
        .filter((line) => line !== '')
        .join('\n')
    case 'product': {
      const texts = [block.name, block.description, block.price].map(templateText)
      const button = block.button === undefined ? '' : withAddress(templateText(block.button.label), block.button.href)
      return [...texts, button].filter((text) => text !== '').join('\n')
    }
  }
}

function paragraphText(paragraph: Paragraph): string {
  return paragraph.type === 'list' ? listText(paragraph, '') : inlineText(paragraph.content)
}

function listText({ ordered, items }: List, indent: string): string {
  return items
    .map(({ content, list }, at) => {
      const line = `${indent}${ordered ? `${at + 1}.` : '-'} ${inlineText(content)}`
      return list === undefined ? line : `${line}\n${listText(list, `${indent}  `)}`
    })
    .join('\n')
}

/** The address of a link follows its last piece. */
function inlineText(content: readonly Inline[]): string {
  let text = ''
  for (const [at, piece] of content.entries()) {
    if ('break' in piece) {
      text += '\n'
      continue
    }
    const tag = 'text' in piece ? escapePlain(piece.text) : variableTag({ ...piece, name: piece.variable }, 'text')
    text = append(text, tag, 'variable' in piece)
    const link = piece.marks?.link
    const next = content[at + 1]
    const isSame = next !== undefined && !('break' in next) && next.marks?.link === link
    if (link !== undefined && !isSame) text += ` <${templateText(link)}>`
  }
  return text
}

/** A backslash before a variable would make its braces literal: an invisible character separates them. */
function append(text: string, tag: string, isVariable: boolean): string {
  const isEscaped = isVariable && text.endsWith('\\')
  return `${text}${isEscaped ? '\u2060' : ''}${tag}`
}

function withAddress(label: string, href: string): string {
  return label === '' ? `<${templateText(href)}>` : `${label} <${templateText(href)}>`
}

/** A value in merge grammar as part of a plain-text template. */
function templateText(template: string): string {
  return parseTemplate(template).reduce<string>((text, part) => {
    if (typeof part === 'string') return append(text, escapePlain(part), false)
    return 'mark' in part ? text : append(text, variableTag(part, 'text'), true)
  }, '')
}
