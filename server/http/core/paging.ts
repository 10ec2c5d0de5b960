import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { listDefaultCount } from '../../../contract/core/limits.ts'
import { nextCursorHeader, totalCountHeader } from '../../../contract/core/paging.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { IdPageQuery, PageQuery, SortKey } from '../../domain/core/page.ts'

/** Error code of a cursor that no list returned. */
type CursorError = 'validation' | 'cursor_invalid'

interface WireQuery {
  limit?: number
  offset?: number
  cursor?: string
}

/** The page that a list's query requests. Throws `validation` (422) for a cursor that no list returned. */
export function readPage(
  { limit = listDefaultCount, offset = 0, cursor }: WireQuery,
  isId: (id: string) => boolean = isRowId,
  code: CursorError = 'validation',
): PageQuery {
  return { limit, offset, after: cursor === undefined ? null : readCursor(cursor, isId, code) }
}

/** The same for a list that is sorted by a numeric id. */
export function readIdPage(
  { limit = listDefaultCount, offset = 0, cursor }: WireQuery,
  code: CursorError = 'validation',
): IdPageQuery {
  if (cursor === undefined) return { limit, offset }
  const id = positionOf(cursor)
  if (!/^\d{1,15}$/.test(id)) throw invalidCursor(code)
  return { limit, offset, afterId: Number(id) }
}

function readCursor(cursor: string, isId: (id: string) => boolean, code: CursorError): SortKey {
  const [at = '', id = ''] = positionOf(cursor).split(' ')
  const time = Date.parse(at)
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && !Number.isNaN(time)
  if (isTime && new Date(time).toISOString().slice(0, 23) === at.slice(0, 23) && isId(id)) return { at, id }
  throw invalidCursor(code)
}

/** The cursor behind a row of a list that is sorted by a numeric id. */
export const idCursor = (id: number): string => cursorOf(String(id))

/** A position and a part of its hash, so that a damaged cursor is not read as another position. */
function cursorOf(position: string): string {
  return Buffer.from(`${position} ${checkOf(position)}`).toString('base64url')
}

/** The position of a cursor; '' if it is damaged. */
function positionOf(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const position = text.slice(0, Math.max(0, text.lastIndexOf(' ')))
  return cursorOf(position) === cursor ? position : ''
}

const checkOf = (position: string) => createHash('sha256').update(position).digest('hex').slice(0, 8)

function invalidCursor(code: CursorError): AppError {
  const item = {
    loc: ['query', 'cursor'],
    msg: 'is not a cursor that this list returned',
    type: code === 'validation' ? 'cursor' : code,
  }
  return new AppError(code, { items: [item] })
}

/** Sets the headers with the total count and the cursor of the next page. */
export function setPageHeaders(
  reply: FastifyReply,
  { total, next = null }: { total: number; next?: SortKey | number | null },
): void {
  void reply.header(totalCountHeader, total)
  if (next === null) return
  const position = typeof next === 'number' ? String(next) : `${next.at} ${next.id}`
  void reply.header(nextCursorHeader, cursorOf(position))
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
