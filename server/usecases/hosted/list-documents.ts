import { AppError } from '../../../contract/core/errors.ts'
import { isCollectionName, type HostedCaller } from '../../domain/auth/hosted.ts'
import { mayRead } from '../../domain/hosted/hosted-access.ts'
import { readFilters } from '../../domain/hosted/hosted-filter.ts'
import type { PageQuery } from '../../domain/core/page.ts'
import type { DocumentPage, HostedDocumentStore } from '../../store/hosted/hosted-document.ts'

/** Lists documents. Throws `collection_forbidden`, `document_not_found` for what can be no name, `validation`, `list_too_slow`. */
export function createListDocuments({ documents }: { documents: Pick<HostedDocumentStore, 'list'> }) {
  return async (
    caller: HostedCaller,
    collection: string,
    filters: readonly string[],
    page: PageQuery,
  ): Promise<DocumentPage> => {
    if (!mayRead(caller, collection)) throw new AppError('collection_forbidden')
    if (!isCollectionName(collection)) throw new AppError('document_not_found')
    const read = readFilters(filters)
    if (!read.ok) {
      const { index, sentence } = read.problem
      throw new AppError('validation', { items: [{ loc: ['query', 'filter', index], msg: sentence, type: 'filter' }] })
    }
    const found = await documents.list(collection, read.filters, page)
    if (found === null) throw new AppError('list_too_slow')
    return found
  }
}
