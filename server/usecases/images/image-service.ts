import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AppError } from '../../../contract/core/errors.ts'
import { imageMaxBytes, storageMaxBytes } from '../../../contract/files/image.limits.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import {
  checkImage,
  ImageError,
  imageRefused,
  problemSentences,
  readImageKey,
  storageFull,
  type ImageRow,
  type Rendition,
} from '../../domain/images/image.ts'
import type { BlobStore } from '../../store/blobs/blob.ts'
import type { ImageStore } from '../../store/images/image.ts'
import { readUpload } from '../core/read-upload.ts'

export interface ImagePorts {
  images: ImageStore
  blobs: Pick<BlobStore, 'put' | 'readWhole' | 'storedBytes'>
  /** Throws ImageError. */
  renderImage: (file: Buffer) => Promise<Rendition[]>
  /** The scope of a public address. */
  scopeOf: (workspaceId: string) => Scope
  now: () => Date
  newId: () => string
}

/** A file that the public address serves. */
export interface ImageFile {
  bytes: Buffer
  contentType: string
}

/** The media library of a workspace. Images of other workspaces are unknown. */
export function createImageService({ images, blobs, renderImage, scopeOf, now, newId }: ImagePorts) {
  async function addRenditions(scope: Scope, file: Buffer) {
    const renditions = await render(file)
    const addedBytes = renditions.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if ((await blobs.storedBytes(scope)) + addedBytes > storageMaxBytes) throw storageFull()
    const stored = []
    for (const { bytes, width, format } of renditions)
      stored.push({ width, format, sha256: await blobs.put(scope, bytes, `image/${format}`, now()) })
    return { stored, largest: renditions.at(-1) }
  }

  async function render(file: Buffer): Promise<Rendition[]> {
    try {
      return await renderImage(file)
    } catch (error) {
      throw error instanceof ImageError ? imageRefused(problemSentences[error.problem]) : error
    }
  }

  async function known(scope: Scope, id: string): Promise<ImageRow> {
    const image = isRowId(id) ? await images.find(scope, id) : null
    if (image === null) throw new AppError('image_not_found')
    return image
  }

  return {
    /** The same file is one image, which keeps its name. Throws `image_too_large`, `image_refused`, `storage_full`. */
    async uploadImage(
      scope: Scope,
      body: Readable,
      { name, alt = '', createdBy }: { name: string; alt?: string; createdBy: string | null },
    ): Promise<ImageRow> {
      const file = await readUpload(body, imageMaxBytes, () => new AppError('image_too_large'))
      checkImage(file)
      const sha256 = createHash('sha256').update(file).digest()
      const existing = await images.findByFile(scope, sha256)
      if (existing) await images.restore(scope, sha256)
      else {
        const { stored, largest } = await addRenditions(scope, file)
        const { width = 0, height = 0 } = largest ?? {}
        const about = { id: newId(), sha256, name: readText('name', name), alt: readText('alt', alt), width, height }
        await images.add(scope, { ...about, createdAt: now(), createdBy, renditions: stored })
      }
      const image = await images.findByFile(scope, sha256)
      if (image === null) throw new AppError('image_not_found')
      return image
    },

    /** Newest first. */
    listImages: (scope: Scope, page: PageQuery & { search: string | null }): Promise<Listed<ImageRow>> =>
      images.list(scope, page),

    /** Throws `image_not_found`, `validation`. */
    async updateImage(scope: Scope, id: string, { name, alt }: { name?: string; alt?: string }): Promise<ImageRow> {
      await known(scope, id)
      await images.update(scope, id, {
        ...(name !== undefined && { name: readText('name', name) }),
        ...(alt !== undefined && { alt: readText('alt', alt) }),
      })
      return known(scope, id)
    },

    /** `isFromWeb`: its address stops as well. Throws `image_not_found`. */
    async deleteImage(scope: Scope, id: string, isFromWeb: boolean): Promise<void> {
      const isDone = isRowId(id) && (isFromWeb ? await images.remove(scope, id) : await images.hide(scope, id, now()))
      if (!isDone) throw new AppError('image_not_found')
    },

    /** Throws `not_found`. */
    async getImageFile(key: string, width: string): Promise<ImageFile> {
      const named = readImageKey(key)
      if (named === null || !/^\d{1,5}$/.test(width)) throw new AppError('not_found')
      const scope = scopeOf(named.workspaceId)
      const rendition = await images.findRendition(scope, named.digestStart, Number(width))
      const bytes = rendition && (await blobs.readWhole(scope, rendition.sha256))
      if (!bytes) throw new AppError('not_found')
      return { bytes, contentType: `image/${rendition.format}` }
    },
  }
}

/** Throws `validation` for characters that cannot be stored, and for an empty name. */
function readText(field: 'name' | 'alt', text: string): string {
  const trimmed = text.replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ').trim()
  if (trimmed.isWellFormed() && (trimmed !== '' || field === 'alt')) return trimmed
  const item = { loc: ['body', field], msg: 'Please enter a name on one line', type: 'missing' }
  throw new AppError('validation', { items: [item] })
}
