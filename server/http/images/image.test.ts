import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Image } from '../../../contract/files/image.ts'
import { animation, photo } from '../../../tests/support/image-files.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
})

const upload = (file: Buffer, name = 'photo.jpg', token = user.token) =>
  server.call('POST', `/email/images?name=${encodeURIComponent(name)}`, {
    token,
    raw: file,
    headers: { 'content-type': 'application/octet-stream' },
  })

async function uploaded(file: Buffer, name?: string): Promise<Image> {
  const answer = await upload(file, name)
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return answer.body as Image
}

async function served(image: Image, width: number | string = image.width) {
  const response = await fetch(`${image.url.slice(0, image.url.lastIndexOf('/'))}/${width}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

const list = async (token = user.token) => (await server.call('GET', '/email/images', { token })).body as Image[]
const sentenceOf = (answer: { body: { detail: { msg: string }[] } }) => answer.body.detail[0]?.msg

/** A PNG of one colour with these dimensions; its pixels are only zeros, so that it is small. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4)
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('an uploaded image', () => {
  it('has an address with the widths 600, 1200 and up to 2400', async () => {
    const image = await uploaded(await photo(3000, 1500, { seed: 2 }), '  Harbour.jpg ')
    expect(image).toMatchObject({ name: 'Harbour.jpg', alt: '', widths: [600, 1200, 2400], width: 2400, height: 1200 })
    for (const width of image.widths)
      expect((await sharp((await served(image, width)).bytes).metadata()).width).toBe(width)
    // A width between two is answered by the next larger one, and one above all by the largest.
    expect((await sharp((await served(image, 700)).bytes).metadata()).width).toBe(1200)
    expect((await sharp((await served(image, 9000)).bytes).metadata()).width).toBe(2400)
  })

  it('is never enlarged', async () => {
    const image = await uploaded(await photo(300, 200), 'small.jpg')
    expect([image.widths, image.width, image.height]).toEqual([[300], 300, 200])
  })

  it('IMAGES-07 The same file uploaded twice is one image in the library.', async () => {
    const file = await photo(320, 200, { seed: 7 })
    const first = await uploaded(file, 'first.jpg')
    const again = await uploaded(file, 'again.jpg')
    expect(again).toEqual(first)
    expect((await list()).filter(({ id }) => id === first.id)).toHaveLength(1)
  })

  it('IMAGES-14 The served image holds no EXIF data, so no location.', async () => {
    const file = await photo(640, 400, { hasPlace: true, seed: 14 })
    expect((await sharp(file).metadata()).exif).toBeDefined()
    const image = await uploaded(file)
    for (const width of image.widths) {
      const { bytes } = await served(image, width)
      const { exif, icc, xmp, iptc } = await sharp(bytes).metadata()
      expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined])
      expect(bytes.includes('anary')).toBe(false)
    }
  })

  it('has the same colours without the colour profile of its file', async () => {
    const picture = sharp({ create: { width: 2600, height: 100, channels: 3, background: '#c8503c' } })
    const file = await picture.withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()
    // Red in the file's own colours: less of a wider range.
    expect((await sharp(file, { ignoreIcc: true }).stats()).channels[0]!.mean).toBeLessThan(190)
    const image = await uploaded(file)
    for (const width of image.widths) {
      const { bytes } = await served(image, width)
      const { channels } = await sharp(bytes).stats()
      for (const [at, value] of [0xc8, 0x50, 0x3c].entries())
        expect(Math.abs(channels[at]!.mean - value)).toBeLessThan(4)
      expect((await sharp(bytes).metadata()).icc).toBeUndefined()
    }
  })

  it('IMAGES-15 A photo whose EXIF data turn it is served upright.', async () => {
    const image = await uploaded(await photo(900, 300, { orientation: 6 }))
    const { bytes } = await served(image)
    expect([image.width, image.height]).toEqual([300, 900])
    // The left half is on top after the turn.
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => data[(y * info.width + x) * info.channels]!
    expect([info.width, info.height]).toEqual([300, 900])
    expect(at(150, 100)).toBeGreaterThan(150)
    expect(at(150, 800)).toBeLessThan(80)
  })

  it.each([
    [
      'WebP photo',
      () =>
        sharp({ create: { width: 50, height: 40, channels: 3, background: '#123456' } })
          .webp()
          .toBuffer(),
      'jpeg',
    ],
    [
      'WebP with transparency',
      () =>
        sharp({ create: { width: 50, height: 41, channels: 4, background: '#12345600' } })
          .webp()
          .toBuffer(),
      'png',
    ],
    [
      'AVIF',
      () =>
        sharp({ create: { width: 50, height: 42, channels: 3, background: '#123456' } })
          .avif()
          .toBuffer(),
      'jpeg',
    ],
  ])('IMAGES-16 A WebP or AVIF file is served as JPEG or PNG. (%s)', async (_what, make, format) => {
    const { bytes, headers } = await served(await uploaded(await make(), 'photo'))
    expect(headers.get('content-type')).toBe(`image/${format}`)
    expect((await sharp(bytes).metadata()).format).toBe(format)
  })

  it('keeps the frames of an animation', async () => {
    const { bytes } = await served(await uploaded(animation(12), 'wave.gif'))
    expect(await sharp(bytes, { animated: true }).metadata()).toMatchObject({ format: 'gif', pages: 12 })
  })

  it('of 12 megapixels is ready within a time that a person accepts', async () => {
    const file = await photo(4000, 3000, { seed: 12 })
    const startMs = performance.now()
    await uploaded(file, 'large.jpg')
    expect(performance.now() - startMs).toBeLessThan(5000)
  })
})

describe('a refused image', () => {
  it('IMAGES-09 A file above 20 MB answers 413 image_too_large.', async () => {
    const picture = await photo(10, 10)
    const padded = (bytes: number) => upload(Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]))
    expect((await padded(20_971_520)).status).toBe(201)
    const answer = await padded(20_971_521)
    expect([answer.status, answer.body.detail]).toEqual([413, 'The image is larger than 20 MB. Choose a smaller one.'])
  })

  it('IMAGES-10 An SVG file answers 422 image_refused.', async () => {
    const answer = await upload(
      Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    )
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'image_refused' }] } })
    expect(sentenceOf(answer)).toContain('SVG')
  })

  it.each([
    ['40 megapixels', bomb(8000, 5001), '40 megapixels'],
    ['a bomb of 65,535 × 65,535', bomb(65_535, 65_535), '40 megapixels'],
    ['300 frames', animation(301), '300 frames'],
  ])(
    'IMAGES-11 An image of more than 40 megapixels, or of more than 300 frames, answers 422 image_refused. (%s)',
    async (_what, file, word) => {
      const before = process.memoryUsage.rss()
      const answer = await upload(file)
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'image_refused' }] } })
      expect(sentenceOf(answer)).toContain(word)
      expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 * 1024)
    },
  )

  it('IMAGES-12 A truncated image answers 422 image_refused, and later uploads work.', async () => {
    const file = await photo(800, 600, { seed: 12 })
    const webp = await sharp(file).webp().toBuffer()
    for (const cut of [file.subarray(0, file.length / 2), file.subarray(0, 20), webp.subarray(0, webp.length - 40)]) {
      const answer = await upload(cut)
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'image_refused' }] } })
    }
    await uploaded(file, 'whole.jpg')
  })

  it('IMAGES-13 A file that is an image and a web page or an archive at the same time is refused or served re-encoded, without the other content.', async () => {
    const page = Buffer.from('<html><script>alert("canary")</script></html>')
    const archive = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.from('canary.exe')])
    const gif = Buffer.concat([animation(1), page])
    for (const file of [
      Buffer.concat([await photo(60, 30), page]),
      Buffer.concat([await photo(61, 30), archive]),
      gif,
    ]) {
      const { bytes } = await served(await uploaded(file))
      expect(bytes.includes('canary')).toBe(false)
      expect(bytes.includes('<html')).toBe(false)
    }
    expect((await upload(Buffer.concat([page, await photo(62, 30)]))).status).toBe(422)
    expect((await upload(Buffer.concat([archive, await photo(62, 30)]))).status).toBe(422)
  })

  it('IMAGES-21 An upload beyond the workspace’s storage quota answers 422 storage_full.', async () => {
    const full = await createUser(server)
    const image = await upload(await photo(30, 20), 'one.jpg', full.token)
    expect(image.status).toBe(201)
    const second = await photo(31, 20)
    // What it takes once it is prepared.
    const other = await createUser(server)
    const ofOther = (await upload(second, 'two.jpg', other.token)).body as Image
    const [stored] = await server.sql<{ bytes: number }>(
      `select sum(size_bytes)::int as bytes from blobs where workspace_id = (select workspace_id from images where id = $1)`,
      [ofOther.id],
    )
    const leave = (bytes: number) =>
      server.sql(
        `update blobs set size_bytes = $1 where workspace_id = (select workspace_id from images where id = $2)`,
        [1_073_741_824 - bytes, (image.body as Image).id],
      )
    await leave(stored!.bytes - 1)
    const answer = await upload(second, 'two.jpg', full.token)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'storage_full' }] } })
    await leave(stored!.bytes)
    expect((await upload(second, 'two.jpg', full.token)).status).toBe(201)
    // Another workspace is not concerned.
    await uploaded(await photo(32, 20))
  })
})

describe('the address of an image', () => {
  it('IMAGES-17 GET /i/{key}/{width} answers without a session, sets no cookie, and carries nosniff, a sandbox policy and a cache time of a year.', async () => {
    const { status, headers } = await served(await uploaded(await photo(70, 30)))
    expect([status, headers.get('content-type'), headers.get('set-cookie')]).toEqual([200, 'image/jpeg', null])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })

  it('IMAGES-18 GET /i/{key}/{width} with an unknown key answers 404.', async () => {
    const { url } = await uploaded(await photo(71, 30))
    const key = url.split('/').at(-2)!
    const other = Buffer.from(key, 'base64url').reverse().toString('base64url')
    for (const wrong of [other, 'x', key.slice(1), `${key}A`, `${key.slice(0, -1)}!`])
      expect((await server.call('GET', `/i/${wrong}/600`)).status, wrong).toBe(404)
    for (const width of ['x', '-1', '1e3', '600000'])
      expect((await server.call('GET', `/i/${key}/${width}`)).status).toBe(404)
  })

  it('IMAGES-20 ‘Remove from the web’ stops the address: afterwards the image’s address answers 404, and its files are deleted after a day', async () => {
    const image = await uploaded(await photo(72, 30))
    expect((await server.call('DELETE', `/email/images/${image.id}?from_web=true`, { token: user.token })).status).toBe(
      204,
    )
    expect((await served(image)).status).toBe(404)
    expect((await list()).some(({ id }) => id === image.id)).toBe(false)
    const stored = () =>
      server.sql('select from image_renditions r join images i using (workspace_id, sha256) where i.id = $1', [
        image.id,
      ])
    expect(await stored()).toEqual([])
    // The same file can be added again.
    expect((await uploaded(await photo(72, 30))).url).toBe(image.url)
  })
})

describe('the library', () => {
  it('IMAGES-19 A deleted image is no longer in the library, and mails that were sent with it still show it.', async () => {
    const image = await uploaded(await photo(73, 30))
    expect((await server.call('DELETE', `/email/images/${image.id}`, { token: user.token })).status).toBe(204)
    expect((await list()).some(({ id }) => id === image.id)).toBe(false)
    expect((await served(image)).status).toBe(200)
    expect((await server.call('DELETE', `/email/images/${image.id}`, { token: user.token })).status).toBe(404)
  })

  it('renames an image and changes its alternative text, and finds it by both', async () => {
    const { id } = await uploaded(await photo(74, 30))
    const changed = await server.call('PATCH', `/email/images/${id}`, {
      token: user.token,
      body: { name: 'Pier at dawn', alt: 'A pier' },
    })
    expect(changed.body).toMatchObject({ name: 'Pier at dawn', alt: 'A pier' })
    for (const search of ['pier at', 'A PIER']) {
      const { body } = await server.call('GET', `/email/images?search=${encodeURIComponent(search)}`, {
        token: user.token,
      })
      expect((body as Image[]).map((image) => image.id)).toEqual([id])
    }
    const blank = await server.call('PATCH', `/email/images/${id}`, { token: user.token, body: { name: ' ' } })
    expect(blank.status).toBe(422)
  })

  it('IMAGES-22 PATCH or DELETE of another workspace’s image answers 404, and GET /email/images does not list it.', async () => {
    const image = await uploaded(await photo(75, 30))
    const { token } = await createUser(server)
    const patched = await server.call('PATCH', `/email/images/${image.id}`, { token, body: { name: 'mine' } })
    expect([
      patched.status,
      (await server.call('DELETE', `/email/images/${image.id}?from_web=true`, { token })).status,
    ]).toEqual([404, 404])
    expect(await list(token)).toEqual([])
    expect((await served(image)).status).toBe(200)
  })
})
