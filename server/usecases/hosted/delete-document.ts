import { AppError } from '../../../contract/core/errors.ts'
import { isCollectionName, isDocumentId, type HostedCaller } from '../../domain/auth/hosted.ts'
import { mayWrite } from '../../domain/hosted/hosted-access.ts'
import type { HostedDocumentStore } from '../../store/hosted/hosted-document.ts'

/** Deletes a document. Throws `collection_forbidden`, `document_not_found`. */
export function createDeleteDocument({ documents }: { documents: Pick<HostedDocumentStore, 'remove'> }) {
  return async (caller: HostedCaller, collection: string, id: string): Promise<void> => {
    if (!mayWrite(caller, collection)) throw new AppError('collection_forbidden')
    const isPlace = isCollectionName(collection) && isDocumentId(id)
    if (!isPlace || !(await documents.remove(collection, id))) throw new AppError('document_not_found')
  }
}
