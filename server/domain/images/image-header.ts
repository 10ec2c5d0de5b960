/** What the header of an image file says; pixels of the largest frame. */
export interface ImageHeader {
  format: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'
  width: number
  height: number
  frameCount: number
}

/**
 * Reads type and dimensions from a file's own structure, without decoding a pixel. Null where it is none of the formats
 * or its structure ends early. Linear in the number of segments, boxes or frames.
 */
export function readImageHeader(file: Buffer): ImageHeader | null {
  try {
    return readPng(file) ?? readGif(file) ?? readJpeg(file) ?? readWebp(file) ?? readAvif(file)
  } catch (error) {
    if (error instanceof RangeError) return null // The file ends inside its header.
    throw error
  }
}

/** Whether the text of a file begins as SVG or another markup does. */
export function isMarkup(file: Buffer): boolean {
  return /^[\uFEFF\s]*<(?:\?xml|!doctype|svg|html)/i.test(file.toString('utf8', 0, 512))
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function readPng(file: Buffer): ImageHeader | null {
  if (!file.subarray(0, 8).equals(pngSignature)) return null
  let frameCount = 1
  // acTL precedes the pixels (PNG 3rd edition §11.3.6.1).
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') break
    if (type === 'acTL') frameCount = file.readUInt32BE(at + 8)
  }
  return { format: 'png', width: file.readUInt32BE(16), height: file.readUInt32BE(20), frameCount }
}

function readGif(file: Buffer): ImageHeader | null {
  if (!/^GIF8[79]a$/.test(file.toString('latin1', 0, 6))) return null
  let [width, height, frameCount] = [file.readUInt16LE(6), file.readUInt16LE(8), 0]
  const colours = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  const afterBlocks = (from: number) => {
    let end = from
    while (file.readUInt8(end) !== 0) end += 1 + file.readUInt8(end)
    return end + 1
  }
  let at = 13 + colours(file.readUInt8(10))
  while (at < file.length && file.readUInt8(at) !== 0x3b) {
    if (file.readUInt8(at) === 0x21) at = afterBlocks(at + 2)
    else if (file.readUInt8(at) === 0x2c) {
      frameCount += 1
      width = Math.max(width, file.readUInt16LE(at + 1) + file.readUInt16LE(at + 5))
      height = Math.max(height, file.readUInt16LE(at + 3) + file.readUInt16LE(at + 7))
      at = afterBlocks(at + 11 + colours(file.readUInt8(at + 9)))
    } else return null
  }
  return { format: 'gif', width, height, frameCount }
}

function readJpeg(file: Buffer): ImageHeader | null {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) return null
  let at = 2
  while (at < file.length) {
    if (file.readUInt8(at) !== 0xff) return null
    const marker = file.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame)
      return { format: 'jpeg', width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5), frameCount: 1 }
    if (marker === 0xff) at += 1
    else at += 2 + file.readUInt16BE(at + 2)
  }
  return null
}

function readWebp(file: Buffer): ImageHeader | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WEBP') return null
  const size = { width: 0, height: 0 }
  let frameCount = 0
  for (let at = 12; at + 8 <= file.length;) {
    const kind = file.toString('latin1', at, at + 4)
    const data = at + 8
    if (kind === 'VP8X')
      Object.assign(size, { width: 1 + file.readUIntLE(data + 4, 3), height: 1 + file.readUIntLE(data + 7, 3) })
    if (kind === 'ANMF') frameCount += 1
    if (size.width === 0 && kind === 'VP8 ')
      Object.assign(size, { width: file.readUInt16LE(data + 6) & 0x3fff, height: file.readUInt16LE(data + 8) & 0x3fff })
    if (size.width === 0 && kind === 'VP8L') {
      const bits = file.readUInt32LE(data + 1)
      Object.assign(size, { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) })
    }
    const length = file.readUInt32LE(at + 4)
    at = data + length + (length % 2)
  }
  return size.width === 0 ? null : { format: 'webp', ...size, frameCount: Math.max(1, frameCount) }
}

const containers = new Set(['meta', 'iprp', 'ipco', 'moov', 'trak', 'mdia', 'minf', 'stbl'])

function readAvif(file: Buffer): ImageHeader | null {
  if (file.toString('latin1', 4, 8) !== 'ftyp') return null
  const brands = file.toString('latin1', 8, Math.min(file.readUInt32BE(0), 256))
  if (!/avi[fs]/.test(brands)) return null
  const found = { width: 0, height: 0, frameCount: 1 }
  readBoxes(file, 0, file.length, found)
  return found.width === 0 ? null : { format: 'avif', ...found }
}

/** Boxes of ISO/IEC 14496-12; `ispe` holds dimensions, `stsz` the number of frames. */
function readBoxes(file: Buffer, from: number, to: number, found: Omit<ImageHeader, 'format'>, depth = 0): void {
  for (let at = from; at + 8 <= to;) {
    const length = file.readUInt32BE(at) || to - at
    if (length < 8) return
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'ispe') {
      found.width = Math.max(found.width, file.readUInt32BE(at + 12))
      found.height = Math.max(found.height, file.readUInt32BE(at + 16))
    }
    if (type === 'stsz') found.frameCount = Math.max(found.frameCount, file.readUInt32BE(at + 16))
    const body = at + (type === 'meta' ? 12 : 8)
    if (containers.has(type) && depth < 8) readBoxes(file, body, Math.min(at + length, to), found, depth + 1)
    at += length
  }
}
