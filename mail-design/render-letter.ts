import type { Block, Design } from '../contract/design/design.ts'
import { renderButton, renderBlocks, footerStyle } from './blocks.ts'
import { paddingOf } from './box.ts'
import { renderInline, renderParagraphs } from './inline.ts'
import { escapeTemplate } from './merge-text.ts'
import type { StyleSheet } from './style-sheet.ts'
import { attributes, fontStack, headingStyle, mergeStyles, textAttributes } from './text-style.ts'
import { withCondition } from './with-condition.ts'

/** The body of a letter: `<div>` and `<p>` like a mail from a mail program, no table around its text. */
export function renderLetterBody(design: Design, sheet: StyleSheet): string {
  const { css, className } = sheet.colour('text', 'color')
  const frame = [`font-family:${fontStack(design.theme.font)}`, 'font-size:16px', 'line-height:26px', css]
  const rows = design.rows.map((row) =>
    withCondition(
      row.showIf,
      row.columns
        .flatMap(({ blocks }) => blocks)
        .map((block) => renderInLetter(block, sheet))
        .join('\n'),
    ),
  )
  return `<div${attributes([className], frame)}>\n${rows.join('\n')}\n</div>`
}

function renderInLetter(block: Block, sheet: StyleSheet): string {
  const content = renderLetterBlock(block, sheet)
  return block.padding === undefined ? content : `<div style="${paddingOf(block.padding)}">${content}</div>`
}

function renderLetterBlock(block: Block, sheet: StyleSheet): string {
  switch (block.type) {
    case 'heading': {
      const style = mergeStyles(headingStyle(block.level, sheet), block.style)
      return `<h${block.level}${textAttributes(style, sheet)}>${renderInline(block.content, sheet, style)}</h${block.level}>`
    }
    case 'text':
      return renderParagraphs(block.content, block.style, sheet)
    case 'footer':
      return renderParagraphs(block.content, { ...footerStyle, ...block.style }, sheet)
    case 'button':
      return `<div style="margin:0 0 16px">${renderButton(block, sheet)}</div>`
    case 'image': {
      const css = 'display:block;max-width:100%;height:auto;border:0;margin:0 0 16px'
      const width = Math.round(block.width ?? sheet.theme.width)
      const image = `<img src="${escapeTemplate(block.src, 'attribute')}" alt="${escapeTemplate(block.alt, 'attribute')}" width="${width}" style="${css}">`
      const href = block.href === undefined ? null : escapeTemplate(block.href, 'attribute')
      return href === null ? image : `<a href="${href}" target="_blank">${image}</a>`
    }
    case 'divider':
    case 'spacer':
    case 'menu':
    case 'social':
    case 'table':
    case 'product':
    case 'html': {
      const { padding: _padding, ...inner } = block
      return `<div style="max-width:${sheet.theme.width}px">${renderBlocks([inner], { sheet, widthPx: sheet.theme.width })}</div>`
    }
  }
}
