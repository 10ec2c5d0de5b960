/**
 * Post-processes the output of mjml. Old clients read attributes instead of styles, so `width` and `bgcolor` are added; and
 * without empty lines and indentation the HTML is half as long and easier to edit.
 */
export function finishHtml(html: string): string {
  const lines = html.split('\n').map((line) => line.trim())
  return `${lines.filter((line) => line !== '').join('\n')}\n`.replace(/<(?:body|table|td)\b[^>]*>/g, addAttributes)
}

function addAttributes(tag: string): string {
  const style = /\sstyle="([^"]*)"/.exec(tag)?.[1] ?? ''
  const width = /(?:^|;)\s*width:\s*(\d+)(%|px)/.exec(style)
  const colour = /(?:^|;)\s*background(?:-color)?:\s*(#[0-9a-f]{3,6})/i.exec(style)?.[1]
  let added = ''
  if (width?.[1] !== undefined && !/\swidth="/.test(tag)) added += ` width="${width[1]}${width[2] === '%' ? '%' : ''}"`
  if (colour !== undefined && !/\sbgcolor="/.test(tag)) added += ` bgcolor="${colour}"`
  return added === '' ? tag : `${tag.slice(0, -1).trimEnd()}${added}>`
}
