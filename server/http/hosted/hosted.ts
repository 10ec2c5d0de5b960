import { isDocumentId } from '../../domain/auth/hosted.ts'
import { readPage, setPageHeaders } from '../core/paging.ts'
import type { createGetDocument } from '../../usecases/hosted/get-document.ts'
import type { createListDocuments } from '../../usecases/hosted/list-documents.ts'
import type { createCreateDocument } from '../../usecases/hosted/create-document.ts'
import type { createUpdateDocument } from '../../usecases/hosted/update-document.ts'
import type { createDeleteDocument } from '../../usecases/hosted/delete-document.ts'
import * as contract from '../../../contract/hosted/hosted.ts'
import type { DocumentRow } from '../../domain/auth/hosted.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the document calls. */
export interface DocumentUseCases {
  getDocument: ReturnType<typeof createGetDocument>
  listDocuments: ReturnType<typeof createListDocuments>
  createDocument: ReturnType<typeof createCreateDocument>
  updateDocument: ReturnType<typeof createUpdateDocument>
  deleteDocument: ReturnType<typeof createDeleteDocument>
}

/** `/collections/*` (spec §7, hosted data backend). */
export function addDocumentRoutes(add: AddRoute, useCases: DocumentUseCases): void {
  add(contract.getDocument, async ({ params, caller }) =>
    toDocument(await useCases.getDocument(caller, params.collection, params.id)),
  )

  add(contract.createDocument, async ({ query, body, caller, resourceId, isRetry }) =>
    toDocument(
      await useCases.createDocument(caller, { ...query, id: body.id, data: body.data }, { resourceId, isRetry }),
    ),
  )

  add(contract.updateDocument, async ({ params, body, caller }) =>
    toDocument(await useCases.updateDocument(caller, params, body.data)),
  )

  add(contract.deleteDocument, ({ params, caller }) => useCases.deleteDocument(caller, params.collection, params.id))

  add(contract.listDocuments, async ({ params, query, caller, reply }) => {
    const filters = [query.filter ?? []].flat()
    const found = await useCases.listDocuments(caller, params.collection, filters, readPage(query, isDocumentId))
    setPageHeaders(reply, found)
    if (!found.isTotalExact) void reply.header(contract.totalCountRelationHeader, 'at-least')
    return found.rows.map(toDocument)
  })
}

/** Wire format of a document, in answers and on websockets. */
export function toDocument(row: DocumentRow): contract.Document {
  return toWire(row, ['id', 'data', 'createdAt', 'updatedAt'])
}
