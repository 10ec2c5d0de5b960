import { AppError } from '../../../contract/core/errors.ts'
import { isCollectionName, isDocumentId, type DocumentRow, type HostedCaller } from '../../domain/auth/hosted.ts'
import { mayRead } from '../../domain/hosted/hosted-access.ts'
import type { HostedDocumentStore } from '../../store/hosted/hosted-document.ts'

/** Reads a document. Throws `collection_forbidden`, `document_not_found`. */
export function createGetDocument({ documents }: { documents: Pick<HostedDocumentStore, 'find'> }) {
  return async (caller: HostedCaller, collection: string, id: string): Promise<DocumentRow> => {
    if (!mayRead(caller, collection)) throw new AppError('collection_forbidden')
    const isPlace = isCollectionName(collection) && isDocumentId(id)
    const document = isPlace ? await documents.find(collection, id) : null
    if (document === null) throw new AppError('document_not_found')
    return document
  }
}
