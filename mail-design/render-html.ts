import type { Column, Design, Row } from '../contract/design/design.ts'
import { renderBlocks } from './blocks.ts'
import { boxAttributes, tableStart } from './box.ts'
import { renderPreheader } from './preheader.ts'
import { renderLetterBody } from './render-letter.ts'
import { StyleSheet } from './style-sheet.ts'
import { attributes, fontStack } from './text-style.ts'
import { titleOf } from './title.ts'
import { withCondition } from './with-condition.ts'

/**
 * The HTML of a valid design, as a template of the merge grammar. The same in the browser and on the server. A design that
 * consists of one HTML block with a whole document gives that document byte for byte.
 */
export function renderHtml(design: Design): string {
  const steps = renderSteps(design)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same, row by row, for a page that has other work between; returns the HTML. */
export function* renderSteps(design: Design): Generator<undefined, string, undefined> {
  const source = wholeDocument(design)
  if (source !== null) return source
  const sheet = new StyleSheet(design.theme)
  const body = design.layout === 'letter' ? renderLetterBody(design, sheet) : yield* renderPage(design, sheet)
  const {
    css: fill,
    hex,
    className,
  } = sheet.colour(design.layout === 'letter' ? 'surface' : 'background', 'background-color')
  const language = design.language ?? 'en'
  const direction = /^(?:ar|fa|he|ur)\b/i.test(language) ? 'rtl' : 'ltr'
  const scheme = design.theme.dark === 'off' ? 'light' : 'light dark'
  const bodyCss = ['margin:0', 'padding:0', 'word-spacing:normal', fill]
  return `<!doctype html>
<html lang="${language}" dir="${direction}" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
<meta name="supported-color-schemes" content="${scheme}">
<meta name="x-apple-disable-message-reformatting">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${titleOf(design)}</title>
<!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript><![endif]-->
<style>
${resetCss(scheme)}
${sheet.css}
</style>
</head>
<body bgcolor="${hex}"${attributes([className], bodyCss)}>
${renderPreheader(design.preheader, hex)}${body}
</body>
</html>
`
}

function resetCss(scheme: string): string {
  return `:root{color-scheme:${scheme};supported-color-schemes:${scheme}}
#outlook a{padding:0}
body{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}
table,td,th{border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt}
th{text-align:left}
img{-ms-interpolation-mode:bicubic}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}`
}

/** A document of its own, such as pasted code, is sent as it is. */
function wholeDocument({ rows }: Design): string | null {
  const [row, ...otherRows] = rows
  const [block, ...otherBlocks] = row?.columns.flatMap(({ blocks }) => blocks) ?? []
  const isOnly = otherRows.length === 0 && otherBlocks.length === 0 && row?.showIf === undefined
  if (!isOnly || block?.type !== 'html') return null
  return /<(?:!doctype|html|body)[\s>]/i.test(block.html) ? block.html : null
}

function* renderPage(design: Design, sheet: StyleSheet): Generator<undefined, string, undefined> {
  const { font } = design.theme
  const text = sheet.colour('text', 'color')
  const { css, className } = sheet.colour('background', 'background-color')
  const canvas = [css, text.css, `font-family:${fontStack(font)}`, 'font-size:16px', 'line-height:26px']
  const rows: string[] = []
  for (const row of design.rows) {
    rows.push(withCondition(row.showIf, renderRow(row, design, sheet)))
    yield
  }
  return `<div${attributes([className, text.className], canvas)}>\n${rows.join('\n')}\n</div>`
}

/** A row without its condition, for a canvas that draws rows one by one. */
export function renderRow(row: Row, { theme }: Pick<Design, 'theme'>, sheet: StyleSheet): string {
  const { width } = theme
  const fill = row.background ?? 'surface'
  const paint = sheet.colour(fill, 'background-color')
  const [, right, , left] = row.wide?.padding ?? row.padding ?? [0, 0, 0, 0]
  const innerPx = width - left - right
  const [only, ...others] = row.columns
  const isSingle = only !== undefined && others.length === 0 && only.maxWidth === undefined
  const inner = isSingle ? renderSingle(only, row.id, innerPx, sheet) : renderColumns(row, innerPx, sheet)
  const outer = attributes([paint.className], ['margin:0 auto', `max-width:${width}px`, paint.css])
  return (
    `<!--[if mso]><table role="presentation" border="0" cellpadding="0" cellspacing="0" width="${width}" align="center" bgcolor="${paint.hex}"><tr><td><![endif]-->` +
    `<div${outer}>${tableStart} bgcolor="${paint.hex}"${attributes([paint.className], ['width:100%', paint.css])}>` +
    `<tr><td${boxAttributes(row, sheet, isSingle ? [] : ['font-size:0', 'line-height:0', 'text-align:center'], fill)}>${inner}</td></tr></table></div>` +
    `<!--[if mso]></td></tr></table><![endif]-->`
  )
}

function renderSingle(column: Column, rowId: string, widthPx: number, sheet: StyleSheet): string {
  const { blocks, padding, background, border, radius, wide } = column
  const content = sheet.mark(
    'column',
    `${rowId} 0`,
    renderBlocks(blocks, { sheet, widthPx: innerWidth(column, widthPx) }),
  )
  if ([padding, background, border, radius, wide].every((part) => part === undefined)) return content
  return `${tableStart}><tr><td${boxAttributes(column, sheet)}>${content}</td></tr></table>`
}

function innerWidth({ padding, wide }: Column, widthPx: number): number {
  const [, right, , left] = wide?.padding ?? padding ?? [0, 0, 0, 0]
  return Math.max(1, widthPx - left - right)
}

/** Columns side by side; on a phone below each other if the row asks for it. Outlook gets a table. */
function renderColumns({ id, columns, stackOnPhone }: Row, widthPx: number, sheet: StyleSheet): string {
  const sum = columns.reduce((total, { span }) => total + span, 0)
  const cells = columns.map((column, at) => {
    const share = Math.round((column.span / sum) * 100_000) / 1000
    const px = Math.min(column.maxWidth ?? Infinity, Math.floor((widthPx * share) / 100))
    const valign = column.valign ?? 'top'
    const size = stackOnPhone ? ['width:100%'] : [`width:${share}%`]
    const limit = column.maxWidth === undefined ? '' : `max-width:${column.maxWidth}px`
    const wide = stackOnPhone && columns.length > 1 ? sheet.wideClass([`width:${share}%`]) : ''
    const css = ['display:inline-block', ...size, limit, `vertical-align:${valign}`, 'text-align:left', 'font-size:0']
    return (
      `<!--[if mso]><td width="${px}" valign="${valign}"><![endif]--><div${attributes([wide], css)}>` +
      `${tableStart}><tr><td valign="${valign}"${boxAttributes(column, sheet, ['font-size:16px', 'line-height:26px', 'text-align:left'])}>` +
      `${sheet.mark('column', `${id} ${at}`, renderBlocks(column.blocks, { sheet, widthPx: innerWidth(column, px) }))}</td></tr></table></div>` +
      `<!--[if mso]></td><![endif]-->`
    )
  })
  const start =
    '<!--[if mso]><table role="presentation" border="0" cellpadding="0" cellspacing="0" align="center"><tr><![endif]-->'
  return `${start}${cells.join('')}<!--[if mso]></tr></table><![endif]-->`
}
