import type { FastifyReply } from 'fastify'
import { listDefaultCount } from '../../../contract/core/limits.ts'
import { nextCursorHeader, totalCountHeader } from '../../../contract/core/paging.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { IdPageQuery, PageQuery, SortKey } from '../../domain/core/page.ts'

interface WireQuery {
  limit?: number
  offset?: number
  cursor?: string
}

/** The page that a list's query requests. Throws `validation` (422) for a cursor that no list returned. */
export function readPage(
  { limit = listDefaultCount, offset = 0, cursor }: WireQuery,
  isId: (id: string) => boolean = isRowId,
): PageQuery {
  return { limit, offset, after: cursor === undefined ? null : readCursor(cursor, isId) }
}

/** The same for a list that is sorted by a numeric id. */
export function readIdPage({ limit = listDefaultCount, offset = 0, cursor }: WireQuery): IdPageQuery {
  if (cursor === undefined) return { limit, offset }
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,15}$/.test(id)) throw invalidCursor()
  return { limit, offset, afterId: Number(id) }
}

function readCursor(cursor: string, isId: (id: string) => boolean): SortKey {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const time = Date.parse(at)
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && !Number.isNaN(time)
  if (isTime && new Date(time).toISOString().slice(0, 23) === at.slice(0, 23) && isId(id)) return { at, id }
  throw invalidCursor()
}

function invalidCursor(): AppError {
  const item = { loc: ['query', 'cursor'], msg: 'is not a cursor that this list returned', type: 'cursor' }
  return new AppError('validation', { items: [item] })
}

/** Sets the headers with the total count and the cursor of the next page. */
export function setPageHeaders(
  reply: FastifyReply,
  { total, next = null }: { total: number; next?: SortKey | number | null },
): void {
  void reply.header(totalCountHeader, total)
  if (next === null) return
  const position = typeof next === 'number' ? String(next) : `${next.at} ${next.id}`
  void reply.header(nextCursorHeader, Buffer.from(position).toString('base64url'))
}

/** A page of a list in wire format; the total count and the cursor of the next page are in its headers. */
export function answerPage<Row, Item>(
  reply: FastifyReply,
  page: { rows: readonly Row[]; total: number; next?: SortKey | number | null },
  toItem: (row: Row) => Item,
): Item[] {
  setPageHeaders(reply, page)
  return page.rows.map((row) => toItem(row))
}
