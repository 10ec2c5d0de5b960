import type { Upload, uploadAttachment as UploadAttachment } from '../../contract/files/attachment.ts'
import * as routes from '../../contract/files/attachment.routes.ts'
import type { Session } from '../core/http.ts'
import { upload, type UploadOptions } from '../core/upload.ts'

/** Uploads a file to attach; a call names it by its `upload_id` within 7 days. Throws ApiError with the reason of a refusal. */
export function uploadAttachment(
  session: Session,
  file: Blob,
  filename: string,
  options?: UploadOptions,
): Promise<Upload> {
  return upload<typeof UploadAttachment>(
    session,
    { route: routes.uploadAttachment, query: { filename } },
    file,
    options,
  )
}
