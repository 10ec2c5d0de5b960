import { fileTypeFromBuffer } from 'file-type'
import { addAttachmentStreamRoutes } from '../../http/attachments/attachment.ts'
import { createAttachmentStore } from '../../store/attachments/attachment.ts'
import { createAttachmentService } from '../../usecases/attachments/attachment-service.ts'
import { hourMs, type Noun, type Parts, type ServerParts } from '../core/parts.ts'
import { blobStore } from './images.ts'

const attachmentStore = ({ database }: Parts) => createAttachmentStore(database)

export const attachmentService = ({ now, newId, resolve }: ServerParts) =>
  createAttachmentService({
    attachments: resolve(attachmentStore),
    blobs: resolve(blobStore),
    detectType: async (file) => (await fileTypeFromBuffer(file))?.mime ?? null,
    now,
    newId,
  })

export const attachments: Noun = {
  maintenance: ({ resolve }, system) => [
    { intervalMs: 24 * hourMs, run: () => resolve(attachmentStore).prune(system) },
  ],
  addStreamRoutes: (add, { resolve }) => addAttachmentStreamRoutes(add, resolve(attachmentService)),
}
