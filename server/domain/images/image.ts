import { AppError } from '../../../contract/core/errors.ts'
import { imageFramesMaxCount, imageMaxPixels } from '../../../contract/files/image.limits.ts'
import { isMarkup, readImageHeader, type ImageHeader } from './image-header.ts'

/** An image of the library. */
export interface ImageRow {
  id: string
  /** Of the uploaded file. */
  sha256: Buffer
  name: string
  alt: string
  width: number
  height: number
  /** Ascending. */
  widths: number[]
  createdAt: Date
}

/** A rendition: what the public address serves. */
export interface Rendition {
  width: number
  height: number
  format: 'jpeg' | 'png' | 'gif'
  bytes: Buffer
}

/** `too_large`: more memory or time than an image may take. */
export class ImageError extends Error {
  override readonly name = 'ImageError'
  readonly problem: 'unreadable' | 'too_large'
  constructor(problem: 'unreadable' | 'too_large') {
    super(problem)
    this.problem = problem
  }
}

export function imageRefused(msg: string): AppError {
  return new AppError('image_refused', { detail: msg, items: [{ loc: ['body'], msg, type: 'image_refused' }] })
}

/** `loc`: the file in the request. */
export function storageFull(loc: (string | number)[] = ['body']): AppError {
  const msg = 'The images and attachments of the workspace would take more than 1 GB. Remove some from the web first.'
  return new AppError('storage_full', { detail: msg, items: [{ loc, msg, type: 'storage_full' }] })
}

export const problemSentences: Readonly<Record<ImageError['problem'], string>> = {
  unreadable: 'This image is damaged or incomplete. Export it again as JPEG or PNG, then upload that file.',
  too_large: 'This image takes too much memory to be prepared. Make it smaller, then upload it again.',
}

/** Refuses what is not to be decoded, from the file's header alone. Throws `image_refused`. */
export function checkImage(file: Buffer): ImageHeader {
  const header = readImageHeader(file)
  if (header === null) {
    if (isMarkup(file))
      throw imageRefused('SVG is not shown by most mail programs. Export the image as PNG, then upload that file.')
    throw imageRefused('This file is not an image that mail programs show. Choose a JPEG, PNG, GIF, WebP or AVIF.')
  }
  if (header.width === 0 || header.height === 0 || header.frameCount === 0)
    throw imageRefused(problemSentences.unreadable)
  if (header.width * header.height > imageMaxPixels)
    throw imageRefused('The image has more than 40 megapixels. Make it smaller, then upload it again.')
  if (header.frameCount > imageFramesMaxCount)
    throw imageRefused('The animation has more than 300 frames. Shorten it, then upload it again.')
  return header
}

const keyBytes = 32
const half = keyBytes / 2

/** The key of an image's public address: its workspace and 128 bits of its digest, base64url. */
export function imageKeyOf(workspaceId: string, sha256: Buffer): string {
  return Buffer.concat([Buffer.from(workspaceId.replaceAll('-', ''), 'hex'), sha256.subarray(0, half)]).toString(
    'base64url',
  )
}

/** Null where a text is no key. */
export function readImageKey(key: string): { workspaceId: string; digestStart: Buffer } | null {
  const bytes = Buffer.from(key, 'base64url')
  if (bytes.length !== keyBytes || bytes.toString('base64url') !== key) return null
  const hex = bytes.toString('hex', 0, half)
  const workspaceId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { workspaceId, digestStart: bytes.subarray(half) }
}
