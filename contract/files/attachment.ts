import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { attachmentsMaxCount, filenameMaxChars } from './attachment.limits.ts'
import * as routes from './attachment.routes.ts'

const filename = Type.String({ minLength: 1, maxLength: filenameMaxChars, description: 'With its extension' })

const GivenAttachment = Type.Union([
  Type.Object({ upload_id: Type.String({ maxLength: 40 }) }, { additionalProperties: false }),
  Type.Object(
    { filename, content: Type.String({ description: 'The file in base64; the whole call may have 1 MB' }) },
    { additionalProperties: false },
  ),
])
/** A file of a call: one that was uploaded before, or a small one in the call itself. */
export type GivenAttachment = Static<typeof GivenAttachment>

/** `attachments` of a call. More than 20 are refused with a sentence of their own. */
export const attachments = Type.Optional(
  Type.Array(GivenAttachment, {
    maxItems: 100,
    description: `Up to ${attachmentsMaxCount} files, 18 MB together: {upload_id} of an upload, or {filename, content} with base64`,
  }),
)

export const AttachmentInfo = Type.Object({ filename: Type.String(), size: Type.Integer({ description: 'Bytes' }) })

const Upload = Type.Object({
  upload_id: Type.String({ description: 'Names the file in calls, for 7 days' }),
  filename: Type.String({ description: 'Without control and bidirectional characters' }),
  size: Type.Integer({ description: 'Bytes' }),
})
/** An uploaded file. */
export type Upload = Static<typeof Upload>

export const uploadAttachment = defineOperation({
  name: 'uploadAttachment',
  summary: 'Upload a file to attach: the file as the body, at most 18 MB',
  ...routeOf(routes.uploadAttachment),
  access: 'member',
  permission: 'messages:send',
  embed: { scope: 'mail:send' },
  query: Type.Object({ filename }),
  bodyMedia: ['application/octet-stream'],
  answers: { 201: { description: 'Uploaded.', body: Upload } },
  errors: ['attachment_refused', 'storage_full'],
})
