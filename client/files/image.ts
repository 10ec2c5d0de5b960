import type {
  deleteImage as DeleteImage,
  Image,
  ImageChanges,
  listImages as ListImages,
  updateImage as UpdateImage,
  uploadImage as UploadImage,
} from '../../contract/files/image.ts'
import * as routes from '../../contract/files/image.routes.ts'
import { call, callList, type CallOptions, type Page, type Session } from '../core/http.ts'
import { upload, type UploadOptions } from '../core/upload.ts'

/** The images of the workspace, newest first; `search`: in names and alternative texts. */
export function listImages(
  session: Session,
  query: { search?: string; cursor?: string; limit?: number } = {},
  options?: CallOptions,
): Promise<Page<Image>> {
  return callList<typeof ListImages>(session, { route: routes.listImages, query }, options)
}

/** Adds an image; the same file is kept once. Throws ApiError with the reason of a refusal. */
export function uploadImage(session: Session, file: Blob, name: string, options?: UploadOptions): Promise<Image> {
  return upload<typeof UploadImage>(session, { route: routes.uploadImage, query: { name } }, file, options)
}

/** Renames an image or changes its alternative text. */
export function updateImage(
  session: Session,
  id: string,
  changes: ImageChanges,
  options?: CallOptions,
): Promise<Image> {
  return call<typeof UpdateImage>(session, { route: routes.updateImage, params: { id }, body: changes }, options)
}

/** Takes an image out of the library; `isFromWeb`: mails already sent show it no more. */
export function deleteImage(
  session: Session,
  { id, isFromWeb }: { id: string; isFromWeb: boolean },
  options?: CallOptions,
): Promise<null> {
  const query = { from_web: isFromWeb }
  return call<typeof DeleteImage>(session, { route: routes.deleteImage, params: { id }, query }, options)
}
