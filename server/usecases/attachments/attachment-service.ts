import type { Readable } from 'node:stream'
import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { attachmentsMaxBytes, attachmentsMaxCount, uploadKeptDays } from '../../../contract/files/attachment.limits.ts'
import type { GivenAttachment } from '../../../contract/files/attachment.ts'
import { storageMaxBytes } from '../../../contract/files/image.limits.ts'
import {
  cleanFilename,
  typeOfName,
  type AttachmentOwner,
  type AttachmentRow,
  type UploadRow,
} from '../../domain/attachments/attachment.ts'
import { findRefusal } from '../../domain/attachments/check-file.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import { storageFull } from '../../domain/images/image.ts'
import type { AttachmentStore } from '../../store/attachments/attachment.ts'
import type { BlobStore } from '../../store/blobs/blob.ts'
import { readUpload } from '../core/read-upload.ts'

interface Ports {
  attachments: AttachmentStore
  blobs: Pick<BlobStore, 'put' | 'storedBytes'>
  /** The type that the bytes of a file have; null for a text. */
  detectType: (file: Buffer) => Promise<string | null>
  now: () => Date
  newId: () => string
}

export type AttachmentService = ReturnType<typeof createAttachmentService>

const dayMs = 86_400_000

/** Uploads, and the files of messages, campaigns and templates. */
export function createAttachmentService({ attachments, blobs, detectType, now, newId }: Ports) {
  /** Throws `attachment_refused`, `storage_full`. */
  async function keep(scope: Scope, given: string, file: Buffer, loc: ValidationItem['loc']): Promise<AttachmentRow> {
    const filename = cleanFilename(given)
    const reason = file.length === 0 ? 'The file is empty. Choose another one.' : await findRefusal(filename, file)
    if (reason !== null) throw refused(`“${filename}” cannot be attached. ${reason}`, loc)
    if ((await blobs.storedBytes(scope)) + file.length > storageMaxBytes) throw storageFull(loc)
    const contentType = (await detectType(file)) ?? typeOfName(filename)
    const sha256 = await blobs.put(scope, file, contentType, now())
    return { sha256, filename, contentType, sizeBytes: file.length, inlineId: null }
  }

  async function read(scope: Scope, item: GivenAttachment, loc: ValidationItem['loc']): Promise<AttachmentRow> {
    if (!('upload_id' in item)) return keep(scope, item.filename, readBase64(item.content, loc), loc)
    const upload = isRowId(item.upload_id) ? await attachments.findUpload(scope, item.upload_id, now()) : null
    if (upload) return { ...upload, inlineId: null }
    const msg = `No upload has this upload_id. An upload is kept for ${uploadKeptDays} days; upload the file again`
    throw new AppError('validation', { items: [{ loc: [...loc, 'upload_id'], msg, type: 'upload_unknown' }] })
  }

  return {
    /** Throws `attachment_refused`, `storage_full`. */
    async uploadAttachment(
      scope: Scope,
      body: Readable,
      { filename, createdBy }: { filename: string; createdBy: string | null },
    ): Promise<UploadRow> {
      const file = await readUpload(body, attachmentsMaxBytes, tooLarge)
      const upload = { ...(await keep(scope, filename, file, ['body'])), id: newId() }
      const expiresAt = new Date(now().getTime() + uploadKeptDays * dayMs)
      await attachments.addUpload(scope, upload, { createdBy, createdAt: now(), expiresAt })
      return upload
    },

    /** The files that a call names, followed by those of its template. Throws `validation`, `attachment_refused`, `storage_full`. */
    async readAttachments(
      scope: Scope,
      given: readonly GivenAttachment[],
      inherited: readonly AttachmentRow[] = [],
    ): Promise<AttachmentRow[]> {
      if (given.length + inherited.length > attachmentsMaxCount) throw tooMany()
      const files: AttachmentRow[] = []
      for (const [no, item] of given.entries()) files.push(await read(scope, item, ['body', 'attachments', no]))
      files.push(...inherited)
      const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      if (bytes > attachmentsMaxBytes) throw tooLarge()
      return files
    },

    /** Gives an owner its files, once. */
    attach: (scope: Scope, owner: AttachmentOwner, files: readonly AttachmentRow[]) =>
      attachments.attach(scope, owner, files),
    /** Puts these files in place of those that an owner has. */
    replaceAttachments: (scope: Scope, owner: AttachmentOwner, files: readonly AttachmentRow[]) =>
      attachments.replace(scope, owner, files),
    /** In their order. */
    listAttachments: (scope: Scope, owner: AttachmentOwner) => attachments.list(scope, owner),
  }
}

function refused(msg: string, loc: ValidationItem['loc']): AppError {
  return new AppError('attachment_refused', { items: [{ loc, msg, type: 'attachment_refused' }] })
}

const tooLarge = () =>
  refused('The attachments of a message may have 18 MB together. Leave some out, or link to them.', [
    'body',
    'attachments',
  ])
const tooMany = () =>
  refused('A message may have 20 attachments. Leave some out, or pack them.', ['body', 'attachments'])

/** Throws `validation`. */
function readBase64(text: string, loc: ValidationItem['loc']): Buffer {
  const packed = text.replaceAll(/[\r\n]/g, '')
  if (packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed)) return Buffer.from(packed, 'base64')
  const msg = 'content is not base64 (RFC 4648); encode the bytes of the file'
  throw new AppError('validation', { items: [{ loc: [...loc, 'content'], msg, type: 'base64' }] })
}
