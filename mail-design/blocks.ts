import type {
  Block,
  ButtonBlock,
  Cell,
  DividerBlock,
  ImageBlock,
  Length,
  MenuBlock,
  ProductBlock,
  TableBlock,
  TextStyle,
} from '../contract/design/design.ts'
import { boxAttributes, isPlainBox, paddingOf, tableStart } from './box.ts'
import { renderInline, renderParagraphs } from './inline.ts'
import { escapeTemplate } from './merge-text.ts'
import type { StyleSheet } from './style-sheet.ts'
import { attributes, fontStack, headingStyle, mergeStyles, textAttributes, textStyle } from './text-style.ts'

/** Where a block is drawn. `widthPx`: of its column on a wide screen, for Outlook and images. */
export interface BlockPlace {
  sheet: StyleSheet
  widthPx: number
}

/** Blocks below each other: a table with one cell for each. */
export function renderBlocks(blocks: readonly Block[], place: BlockPlace): string {
  if (blocks.length === 0) return ''
  const cells = blocks.map((block) => {
    const align = block.type === 'image' || !('align' in block) ? 'left' : block.align
    const given = boxAttributes(block, place.sheet)
    return `<tr><td align="${align}"${given}>${renderMarked(block, place)}</td></tr>`
  })
  return `${tableStart}>${cells.join('')}</table>`
}

const renderMarked = (block: Block, place: BlockPlace) =>
  place.sheet.mark('block', block.id, renderContent(block, place))

/** A block without the space, fill and frame around it. */
function renderContent(block: Block, place: BlockPlace): string {
  const { sheet } = place
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
      return renderButton(block, sheet)
    case 'image':
      return renderImage(block, place)
    case 'divider':
      return renderDivider(block, sheet)
    case 'spacer': {
      const wide = sheet.wideClass(block.wide?.height === undefined ? [] : [`height:${block.wide.height}px`])
      const css = [`height:${block.height}px`, 'font-size:0', 'line-height:0']
      return `<div${attributes([wide], css)}>&#8202;</div>`
    }
    case 'menu':
    case 'social':
      return renderMenu(block, sheet)
    case 'table':
      return renderTable(block, place)
    case 'product':
      return renderProduct(block, place)
    case 'html':
      return sheet.htmlBlock(block)
  }
}

export const footerStyle = { size: 14, lineHeight: 22, after: 10, colour: 'footer' } as const

export function renderButton(block: ButtonBlock, sheet: StyleSheet): string {
  const { inset = [15, 26, 15, 26], size = 16, weight = 700, corners = sheet.theme.radius } = block
  const fill = sheet.colour(block.fill ?? 'accent', 'background-color')
  const ink = sheet.colour(block.colour ?? 'onAccent', 'color')
  const cell = ['border-radius:' + String(corners) + 'px', `mso-padding-alt:${paddingOf(inset).slice(8)}`, fill.css]
  const link = [
    ...['display:inline-block', paddingOf(inset), 'mso-padding-alt:0', `border-radius:${corners}px`],
    ...[`font-family:${fontStack(sheet.theme.font)}`, `font-size:${size}px`, 'line-height:20px'],
    ...[`font-weight:${weight}`, 'text-decoration:none', fill.css, ink.css],
  ]
  const width = block.fullWidth === true ? ' width="100%"' : ''
  const align = block.align === undefined || block.align === 'left' ? '' : ` align="${block.align}"`
  return (
    `<table role="presentation" border="0" cellpadding="0" cellspacing="0"${width}${align} style="border-collapse:separate">` +
    `<tr><td align="center" valign="middle" bgcolor="${fill.hex}"${attributes([fill.className], cell)}>` +
    `<a href="${escapeTemplate(block.href, 'attribute')}" target="_blank"${attributes([fill.className, ink.className], link)}>` +
    `${escapeTemplate(block.label, 'text')}</a></td></tr></table>`
  )
}

function renderImage({ src, alt, width, href, align = 'left' }: ImageBlock, { widthPx }: BlockPlace): string {
  const px = Math.round(Math.min(width ?? widthPx, widthPx))
  const margin = align === 'center' ? '0 auto' : align === 'right' ? '0 0 0 auto' : '0'
  const css = ['display:block', 'width:100%', `max-width:${px}px`, 'height:auto', 'border:0', `margin:${margin}`]
  const image = `<img src="${escapeTemplate(src, 'attribute')}" alt="${escapeTemplate(alt, 'attribute')}" width="${px}"${attributes([], css)}>`
  return href === undefined ? image : `<a href="${escapeTemplate(href, 'attribute')}" target="_blank">${image}</a>`
}

function renderDivider({ line, share = 100 }: DividerBlock, sheet: StyleSheet): string {
  const border = { border: { ...line, sides: ['top' as const] } }
  const given = boxAttributes(border, sheet, ['font-size:0', 'line-height:0'])
  return (
    `<table role="presentation" border="0" cellpadding="0" cellspacing="0" width="${share}%" align="center">` +
    `<tr><td${given}>&#8202;</td></tr></table>`
  )
}

function renderMenu({ links, style }: MenuBlock, sheet: StyleSheet): string {
  const merged = mergeStyles(textStyle, { after: 0, align: 'center' }, style)
  const items = links.map(({ label, href }) => {
    const { css, className } = sheet.colour(style?.colour ?? 'link', 'color')
    const given = attributes([className], [css, 'text-decoration:underline'])
    return `<a href="${escapeTemplate(href, 'attribute')}" target="_blank"${given}>${escapeTemplate(label, 'text')}</a>`
  })
  return `<p${textAttributes(merged, sheet)}>${items.join(' &nbsp; ')}</p>`
}

const lengthAttribute = (width: Length | 'content' | undefined) =>
  width === undefined || width === 'content' ? '' : ` width="${'px' in width ? width.px : `${width.percent}%`}"`

function renderTable({ rows, width, align }: TableBlock, place: BlockPlace): string {
  const isData = rows.some(({ cells }) => cells.some(({ header }) => header === true))
  const role = isData ? '' : ' role="presentation"'
  const size = lengthAttribute(width ?? { percent: 100 })
  const lines = rows.map(({ cells, decorative }) => {
    const hidden = decorative === true ? ' aria-hidden="true"' : ''
    return `<tr${hidden}>${cells.map((cell) => renderCell(cell, place)).join('')}</tr>`
  })
  const place_ = align === undefined || align === 'left' ? '' : ` align="${align}"`
  return `<table${role} border="0" cellpadding="0" cellspacing="0"${size}${place_}>${lines.join('')}</table>`
}

function renderCell(cell: Cell, place: BlockPlace): string {
  const { span = 1, width, height, align, valign, header, image } = cell
  const tag = header === true ? 'th' : 'td'
  const widthPx = width === undefined ? place.widthPx : 'px' in width ? width.px : (place.widthPx * width.percent) / 100
  const isEmpty = cell.blocks.length === 0
  const given = [
    header === true ? ' scope="col"' : '',
    span === 1 ? '' : ` colspan="${span}"`,
    lengthAttribute(width),
    height === undefined ? '' : ` height="${height}"`,
    align === undefined ? '' : ` align="${align}"`,
    valign === undefined ? '' : ` valign="${valign}"`,
    image === undefined ? '' : ` background="${escapeTemplate(image, 'attribute')}"`,
    boxAttributes(cell, place.sheet, [
      ...(isEmpty ? ['font-size:0', 'line-height:0'] : []),
      ...(image === undefined ? [] : ['background-position:center', 'background-size:cover']),
    ]),
  ]
  const inner = cell.blocks.map((block) => renderInCell(block, { ...place, widthPx })).join('')
  return `<${tag}${given.join('')}>${inner}</${tag}>`
}

function renderInCell(block: Block, place: BlockPlace): string {
  const isPlain = isPlainBox(block) || block.type === 'spacer'
  return isPlain ? renderMarked(block, place) : renderBlocks([block], place)
}

/** Picture at the left, texts and button at the right. */
function renderProduct(block: ProductBlock, place: BlockPlace): string {
  const { image, name, description, price, button } = block
  const { sheet } = place
  const line = (text: string, style: TextStyle) =>
    text === '' ? '' : `<p${textAttributes(mergeStyles(textStyle, style), sheet)}>${escapeTemplate(text, 'text')}</p>`
  const texts = [
    line(name, { size: 18, weight: 700, font: sheet.theme.headingFont, after: 4 }),
    line(description, { colour: 'quiet', after: 8 }),
    line(price, { weight: 700, after: button === undefined ? 0 : 12 }),
    button === undefined ? '' : renderButton({ id: block.id, type: 'button', ...button }, sheet),
  ]
  if (image === undefined) return texts.join('')
  const width = Math.round(place.widthPx / 3)
  const picture = renderImage({ id: block.id, type: 'image', ...image }, { sheet, widthPx: width })
  return (
    `${tableStart}><tr><td width="${width}" valign="top" style="padding:0 20px 0 0;width:${width}px">${picture}</td>` +
    `<td valign="top">${texts.join('')}</td></tr></table>`
  )
}
