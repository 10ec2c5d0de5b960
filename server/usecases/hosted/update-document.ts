import { AppError } from '../../../contract/core/errors.ts'
import { isTooLarge } from '../../domain/hosted/document-size.ts'
import {
  isCollectionName,
  isDocumentId,
  type DocumentData,
  type DocumentRow,
  type HostedCaller,
} from '../../domain/auth/hosted.ts'
import { mayWrite, quotaOf } from '../../domain/hosted/hosted-access.ts'
import { mergePatch } from '../../domain/hosted/merge-patch.ts'
import type { HostedDocumentStore } from '../../store/hosted/hosted-document.ts'

/**
 * Merges a patch into a document's data.
 * Throws `collection_forbidden`, `document_not_found`, `document_too_large`, `collection_full`.
 */
export function createUpdateDocument({ documents }: { documents: Pick<HostedDocumentStore, 'update'> }) {
  return async (
    caller: HostedCaller,
    place: { collection: string; id: string },
    patch: DocumentData,
  ): Promise<DocumentRow> => {
    if (!mayWrite(caller, place.collection)) throw new AppError('collection_forbidden')
    const change = (data: DocumentData) => {
      const merged = mergePatch(data, patch)
      if (isTooLarge(merged)) throw new AppError('document_too_large')
      return merged
    }
    const isPlace = isCollectionName(place.collection) && isDocumentId(place.id)
    const updated = isPlace ? await documents.update(place, change, quotaOf(place.collection)) : null
    if (updated === null) throw new AppError('document_not_found')
    if (updated === 'full') throw new AppError('collection_full')
    return updated
  }
}
