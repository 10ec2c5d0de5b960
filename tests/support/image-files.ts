import sharp from 'sharp'

/** A photo-like JPEG; `orientation` and `comment` stand in its EXIF data, with a place if `hasPlace`. */
export async function photo(
  width: number,
  height: number,
  { orientation, hasPlace = false, seed = 1 }: { orientation?: number; hasPlace?: boolean; seed?: number } = {},
): Promise<Buffer> {
  // The left half is red and the right half blue, with some noise that depends on the seed.
  const half = { width: Math.floor(width / 2), height, channels: 3, background: '#cc2200' } as const
  const picture = sharp({
    create: { width, height, channels: 3, background: { r: 0, g: seed % 50, b: 200 } },
  }).composite([{ input: { create: half }, left: 0, top: 0 }])
  const exif = {
    IFD0: { Copyright: 'EXIF canary', Make: 'Canary Camera' },
    ...(hasPlace && { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } }),
  }
  return picture
    .withMetadata({ ...(orientation !== undefined && { orientation }) })
    .withExif(exif)
    .jpeg()
    .toBuffer()
}

/** A photograph with grain, as of a camera at night: noise in each pixel, so that it is large as a JPEG of high quality. */
export async function grainyPhoto(width: number, height: number, seed = 1): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  let state = seed
  for (let at = 0; at < pixels.length; at += 3) {
    // xorshift32: the same grain for the same seed.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const pixel = at / 3
    const [x, y] = [(pixel % width) / width, Math.floor(pixel / width) / height]
    const light = 60 + 100 * x + 40 * Math.sin(9 * y) + ((state & 63) - 32)
    pixels[at] = light + ((state >>> 6) & 15)
    pixels[at + 1] = light * 0.9 + ((state >>> 10) & 15)
    pixels[at + 2] = light * 0.7 + ((state >>> 14) & 15)
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** An animation of `frameCount` frames of 4 × 4 pixels, black and white in turn. */
export function animation(frameCount: number): Buffer {
  const pieces: Buffer[] = [Buffer.from('GIF89a'), Buffer.from([4, 0, 4, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])]
  for (let no = 0; no < frameCount; no += 1) {
    const control = Buffer.from([0x21, 0xf9, 4, 0, 5, 0, 0, 0])
    const frame = Buffer.from([0x2c, 0, 0, 0, 0, 4, 0, 4, 0, 0])
    const pixels = packedPixels(no % 2)
    pieces.push(control, frame, Buffer.from([2, pixels.length]), pixels, Buffer.from([0]))
  }
  return Buffer.concat([...pieces, Buffer.from([0x3b])])
}

/** 16 pixels of one colour as GIF's LZW: codes of 3 bits, 4 clears the table, 5 ends. */
function packedPixels(colour: number): Buffer<ArrayBuffer> {
  const codes = [...Array.from({ length: 8 }, () => [4, colour, colour]).flat(), 5]
  const bits = codes.map((code) => code.toString(2).padStart(3, '0').split('').reverse().join('')).join('')
  const bytes = bits.match(/.{1,8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.split('').reverse().join(''), 2)))
}
