import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { animation } from '../../../tests/support/image-files.ts'
import { readImageHeader } from './image-header.ts'
import { checkImage, imageKeyOf, readImageKey } from './image.ts'

/** The beginning of a PNG, up to its pixels. */
function png(width: number, height: number, frameCount?: number): Buffer {
  const chunk = (type: string, ...numbers: number[]) => {
    const bytes = Buffer.alloc(12 + 4 * numbers.length)
    bytes.writeUInt32BE(4 * numbers.length)
    bytes.write(type, 4, 'latin1')
    for (const [no, number] of numbers.entries()) bytes.writeUInt32BE(number, 8 + 4 * no)
    return bytes
  }
  const frames = frameCount === undefined ? [] : [chunk('acTL', frameCount, 0)]
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', width, height),
    ...frames,
    chunk('IDAT'),
  ])
}

/** A box of ISO/IEC 14496-12. */
function box(type: string, ...body: Buffer[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + Buffer.concat(body).length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...body])
}
const dimensions = box('ispe', Buffer.from([0, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0, 20]))
const avif = (...boxes: Buffer[]) => Buffer.concat([box('ftyp', Buffer.from('avif')), ...boxes])
const nested = (depth: number): Buffer => (depth === 0 ? dimensions : box('moov', nested(depth - 1)))

describe('an image is refused', () => {
  it('above 40 megapixels', () => {
    expect(checkImage(png(8000, 5000))).toMatchObject({ width: 8000, height: 5000 })
    expect(checkImage(png(40_000_000, 1))).toMatchObject({ width: 40_000_000 })
    expect(() => checkImage(png(40_000_001, 1))).toThrow(/more than 40 megapixels/)
  })

  it('above 300 frames', () => {
    expect(checkImage(png(1, 1, 300)).frameCount).toBe(300)
    expect(() => checkImage(png(1, 1, 301))).toThrow(/more than 300 frames/)
    expect(checkImage(animation(300)).frameCount).toBe(300)
    expect(() => checkImage(animation(301))).toThrow(/more than 300 frames/)
  })

  it('without a pixel or a frame', () => {
    expect(checkImage(png(1, 1, 1))).toMatchObject({ width: 1, height: 1, frameCount: 1 })
    for (const file of [png(0, 1), png(1, 0), png(1, 1, 0)]) expect(() => checkImage(file)).toThrow(/damaged/)
  })

  it('as SVG where its markup begins within the first 512 bytes', () => {
    const svg = (blanks: number) => Buffer.from(`${' '.repeat(blanks)}<svg xmlns="http://www.w3.org/2000/svg"/>`)
    expect(() => checkImage(svg(508))).toThrow(/SVG/)
    expect(() => checkImage(svg(509))).toThrow(/not an image/)
  })
})

describe('the header of an image', () => {
  it.each(['jpeg', 'png', 'gif', 'webp', 'lossless webp', 'avif'])('of %s has its size and one frame', async (name) => {
    const image = sharp({ create: { width: 30, height: 20, channels: 3, background: '#c20' } })
    const format = name.replace('lossless ', '') as 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'
    const file = await image.toFormat(format, { ...(name === 'lossless webp' && { lossless: true }) }).toBuffer()
    expect(readImageHeader(file)).toEqual({ format, width: 30, height: 20, frameCount: 1 })
  })

  it('of AVIF is read in eight boxes within each other, and ends at a box shorter than its own head', () => {
    expect(readImageHeader(avif(nested(8)))).toMatchObject({ width: 30, height: 20, frameCount: 1 })
    expect(readImageHeader(avif(nested(9)))).toBeNull()
    const short = box('free')
    expect(readImageHeader(avif(short, dimensions))).toMatchObject({ width: 30 })
    short.writeUInt32BE(7)
    expect(readImageHeader(avif(short, dimensions))).toBeNull()
  })

  it('of AVIF has its brand within the first 256 bytes', () => {
    const brandedAt = (at: number) =>
      Buffer.concat([box('ftyp', Buffer.alloc(at - 8), Buffer.from('avif')), dimensions])
    expect(readImageHeader(brandedAt(252))).toMatchObject({ width: 30 })
    expect(readImageHeader(brandedAt(253))).toBeNull()
  })
})

it('the key of an image has 32 bytes: its workspace and half of its digest', () => {
  const workspaceId = '0198f2c4-1a2b-7c3d-8e4f-0123456789ab'
  const digest = Buffer.from(Array.from({ length: 32 }, (_, no) => no))
  const key = imageKeyOf(workspaceId, digest)
  expect(readImageKey(key)).toEqual({ workspaceId, digestStart: digest.subarray(0, 16) })
  const bytes = Buffer.from(key, 'base64url')
  for (const other of [bytes.subarray(0, 31), Buffer.concat([bytes, Buffer.alloc(1)])])
    expect(readImageKey(other.toString('base64url'))).toBeNull()
})
