import { argv, exit, kill, memoryUsage, pid, stdin, stdout } from 'node:process'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'

/**
 * Entry point of the process that decodes one image: reads the file from standard input and the widths from the
 * arguments, and writes the renditions to standard output: a line of JSON, then the bytes of each one after the other.
 * Its exit code is 0, or 2 if the file cannot be decoded. It has no environment, and nothing else to read.
 */

const memoryMaxBytes = 256 * 1024 * 1024
const memoryCheckMs = 20

// Decoding runs in other threads, so this timer fires in between.
const watch = setInterval(() => {
  if (memoryUsage.rss() > memoryMaxBytes) kill(pid, 'SIGKILL')
}, memoryCheckMs)

sharp.cache(false)
sharp.concurrency(2)

async function render(file: Buffer, widths: readonly number[]) {
  const options = { failOn: 'truncated', limitInputPixels: 40_000_000, sequentialRead: true } as const
  const { format, width, height, orientation = 1, hasAlpha } = await sharp(file, options).metadata()
  const isAnimated = format === 'gif'
  const fullWidth = orientation >= 5 ? height : width
  const chosen = [...new Set(widths.map((limit) => Math.min(limit, fullWidth)))]
  const isPhoto = format === 'jpeg' || (format !== 'png' && !hasAlpha)
  const decoded = isAnimated ? null : await decode(Math.max(...chosen))
  const renditions = chosen.map(async (target) => {
    const source = decoded
      ? sharp(decoded.data, { raw: decoded.info })
      : sharp(file, { ...options, animated: true, limitInputPixels: 40_000_000 * 300 }).autoOrient()
    const resized = source.resize({ width: target, withoutEnlargement: true })
    const encoded = isAnimated
      ? resized.toColourspace('srgb').gif()
      : isPhoto
        ? resized.jpeg({ quality: 82, progressive: true })
        : resized.png({ compressionLevel: 8 })
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.pageHeight ?? info.height, format: info.format }
  })

  /** Pixels at the largest width: a photo is decoded once, and the smaller ones are made of them. */
  async function decode(width: number) {
    return sharp(file, options)
      .autoOrient()
      .resize({ width, withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
  }
  return Promise.all(renditions)
}

try {
  const widths = argv.slice(2).map(Number)
  const renditions = await render(await buffer(stdin), widths)
  const about = renditions.map(({ data, ...rest }) => ({ ...rest, sizeBytes: data.length }))
  stdout.write(`${JSON.stringify(about)}\n`)
  for (const { data } of renditions) stdout.write(data)
} catch {
  exit(2)
} finally {
  clearInterval(watch)
}
