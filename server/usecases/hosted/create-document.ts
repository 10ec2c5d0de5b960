import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../contract/core/errors.ts'
import type { DocumentData, DocumentRow, HostedCaller } from '../../domain/auth/hosted.ts'
import { isTooLarge } from '../../domain/hosted/document-size.ts'
import { mayWrite, quotaOf } from '../../domain/hosted/hosted-access.ts'
import type { HostedDocumentStore } from '../../store/hosted/hosted-document.ts'

interface Ports {
  documents: Pick<HostedDocumentStore, 'create' | 'find'>
  newId: () => string
}

/**
 * Creates a document in a collection, with a new id if none is given. A retry with an Idempotency-Key accepts the same
 * document that an earlier attempt created.
 * Throws `collection_forbidden`, `document_exists`, `document_too_large`, `collection_full`.
 */
export function createCreateDocument({ documents, newId }: Ports) {
  return async (
    caller: HostedCaller,
    document: { collection: string; id: string | undefined; data: DocumentData },
    { resourceId, isRetry }: { resourceId: string | null; isRetry: boolean } = { resourceId: null, isRetry: false },
  ): Promise<DocumentRow> => {
    const { collection, id = resourceId ?? newId(), data } = document
    if (!mayWrite(caller, collection)) throw new AppError('collection_forbidden')
    if (isTooLarge(data)) throw new AppError('document_too_large')
    const created = await documents.create({ collection, id, data }, quotaOf(collection))
    if (created === 'exists') {
      const known = isRetry ? await documents.find(collection, id) : null
      if (known !== null && isDeepStrictEqual(known.data, data)) return known
      throw new AppError('document_exists')
    }
    if (created === 'full') throw new AppError('collection_full')
    return created
  }
}
