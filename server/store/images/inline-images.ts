import type { Scope } from '../../domain/auth/scope.ts'
import { readImageKey } from '../../domain/images/image.ts'
import type { EncodedAttachment } from '../../domain/messages/delivery.ts'
import { encodeAttachment } from '../attachments/encode-attachment.ts'
import { createBlobStore } from '../blobs/blob.ts'
import type { Database } from '../core/database.ts'
import { createImageStore } from './image.ts'

/** An image of the library whose address asks for it to be in the mail: `…/i/<key>/<width>#attached`. */
const reference = /\bsrc="[^"#]{0,300}\/i\/([\w-]{43})\/(\d{1,5})#attached"/g

/** Together, before they are encoded; an image beyond it stays a link. */
const inlineMaxBytes = 5_000_000
const inlineMaxCount = 20

/** Reads the images that HTML shows from the mail itself. Images of other workspaces stay links. */
export function createInlineImages({ pool }: Pick<Database, 'pool'>) {
  const images = createImageStore({ pool })
  const blobs = createBlobStore({ pool })

  async function read(scope: Scope, key: string, width: number) {
    const named = readImageKey(key)
    if (named?.workspaceId !== scope.workspaceId) return null
    const rendition = await images.findRendition(scope, named.digestStart, width)
    const bytes = rendition && (await blobs.readWhole(scope, rendition.sha256))
    return rendition && bytes ? { format: rendition.format, bytes } : null
  }

  /** The HTML with `cid:` addresses, and the files that they name. */
  return async (scope: Scope, html: string): Promise<{ html: string; files: EncodedAttachment[] }> => {
    const files = new Map<string, EncodedAttachment>()
    let leftBytes = inlineMaxBytes
    for (const [, key = '', width = ''] of html.includes('#attached"') ? html.matchAll(reference) : []) {
      const inlineId = idOf(key, width)
      if (files.has(inlineId) || files.size === inlineMaxCount) continue
      const image = await read(scope, key, Number(width))
      if (image === null || image.bytes.length > leftBytes) continue
      leftBytes -= image.bytes.length
      const filename = `image-${files.size + 1}.${image.format === 'jpeg' ? 'jpg' : image.format}`
      const about = { sha256: '', filename, contentType: `image/${image.format}`, inlineId }
      files.set(inlineId, await encodeAttachment({ ...about, sizeBytes: image.bytes.length }, piecesOf(image.bytes)))
    }
    const shown = html.replace(reference, (whole: string, key: string, width: string) =>
      files.has(idOf(key, width)) ? `src="cid:${idOf(key, width)}"` : whole,
    )
    return { html: shown, files: [...files.values()] }
  }
}

const idOf = (key: string, width: string) => `${key}.${width}@inline`

const pieceBytes = 1 << 20

// oxlint-disable-next-line typescript/require-await -- as the store reads a file
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
