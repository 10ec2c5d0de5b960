/**
 * The images that a mail has in itself, by their Content-ID, as `data:` addresses; `raw` is its source. One pass: a part
 * that is no image in base64 is left out.
 */
export function attachedImages(raw: string): ReadonlyMap<string, string> {
  const images = new Map<string, string>()
  for (const part of raw.split(/\r?\n--/)) {
    const gap = /\r?\n\r?\n/.exec(part)
    const head = part.slice(0, gap?.index ?? 0)
    const id = /^content-id:[ \t]*<([^<>\s]+)>/im.exec(head)?.[1]
    const type = /^content-type:[ \t]*(image\/(?:jpeg|png|gif))\b/im.exec(head)?.[1]
    if (!gap || id === undefined || type === undefined) continue
    if (!/^content-transfer-encoding:[ \t]*base64\b/im.test(head)) continue
    const encoded = part.slice(gap.index).replace(/\s+/g, '')
    if (!/[^A-Za-z0-9+/=]/.test(encoded)) images.set(id, `data:${type.toLowerCase()};base64,${encoded}`)
  }
  return images
}
