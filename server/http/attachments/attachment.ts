import { Readable } from 'node:stream'
import { AppError } from '../../../contract/core/errors.ts'
import * as contract from '../../../contract/files/attachment.ts'
import type { AttachmentService } from '../../usecases/attachments/attachment-service.ts'
import type { AddRoute } from '../core/route.ts'

/** `/email/attachments`: the body is a file. `add` is bound to where bodies arrive as streams. */
export function addAttachmentStreamRoutes(
  add: AddRoute,
  attachments: Pick<AttachmentService, 'uploadAttachment'>,
): void {
  add(contract.uploadAttachment, async ({ query, caller, scope, body: given }) => {
    const body: unknown = given
    if (!(body instanceof Readable)) throw new AppError('unsupported_media_type')
    const createdBy = caller.kind === 'member' ? caller.userId : null
    const { id, filename, sizeBytes } = await attachments.uploadAttachment(scope, body, { ...query, createdBy })
    return { upload_id: id, filename, size: sizeBytes }
  })
}
