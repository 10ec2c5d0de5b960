import { Readable } from 'node:stream'
import { AppError } from '../../../contract/core/errors.ts'
import * as contract from '../../../contract/files/image.ts'
import type { MemberCaller } from '../../domain/auth/caller.ts'
import type { EmbedCaller } from '../../domain/auth/embed.ts'
import { imageKeyOf, type ImageRow } from '../../domain/images/image.ts'
import type { createImageService } from '../../usecases/images/image-service.ts'
import { answerPage, readPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'

type ImageUseCases = ReturnType<typeof createImageService> & {
  /** Origin of the public addresses. */
  imageOrigin: string
}

/** A file never changes under its address. It is not a page: nothing in it runs or loads when it is opened. */
const fileHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** `/email/images` and `/i`. */
export function addImageRoutes(add: AddRoute, images: ImageUseCases): void {
  add(contract.listImages, async ({ query, scope, reply }) => {
    const { search = '' } = query
    const page = { ...readPage(query), search: search.trim() || null }
    return answerPage(reply, await images.listImages(scope, page), toImage(scope.workspaceId, images))
  })
  add(contract.updateImage, async ({ params, body, scope }) =>
    toImage(scope.workspaceId, images)(await images.updateImage(scope, params.id, body)),
  )
  add(contract.deleteImage, ({ params, query, scope }) => images.deleteImage(scope, params.id, query.from_web ?? false))
  add(contract.getImageFile, async ({ params, reply }) => {
    const { bytes, contentType } = await images.getImageFile(params.key, params.width)
    void reply.headers({ ...fileHeaders, 'content-type': contentType })
    return bytes as never
  })
}

/** The call whose body is a file. `add` is bound to where bodies arrive as streams. */
export function addImageStreamRoutes(add: AddRoute, images: ImageUseCases): void {
  add(contract.uploadImage, async ({ query, caller, scope, body: given }) => {
    const body: unknown = given
    if (!(body instanceof Readable)) throw new AppError('unsupported_media_type')
    const image = await images.uploadImage(scope, body, { ...query, createdBy: personOf(caller) })
    return toImage(scope.workspaceId, images)(image)
  })
}

const personOf = (caller: MemberCaller | EmbedCaller) => (caller.kind === 'member' ? caller.userId : null)

const toImage =
  (workspaceId: string, { imageOrigin }: Pick<ImageUseCases, 'imageOrigin'>) =>
  ({ id, sha256, name, alt, width, height, widths, createdAt }: ImageRow): contract.Image => ({
    id,
    name,
    alt,
    url: `${imageOrigin}/i/${imageKeyOf(workspaceId, sha256)}/${width}`,
    widths,
    width,
    height,
    created_at: createdAt.toISOString(),
  })
