import { Type, type TSchema } from 'typebox'
import { listDefaultCount, listMaxCount } from './limits.ts'

/** Query of a list that is paged by offset only (decisions, API). */
export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: listMaxCount, default: listDefaultCount })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 })),
}

/** Query of a list that also accepts the cursor of its previous page: rows added or deleted meanwhile shift nothing. */
export const CursorPaging = {
  ...Paging,
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'X-Next-Cursor of the previous page' })),
}

/** Response header of a list: the total count of its rows. */
export const totalCountHeader = 'X-Total-Count'

/** Response header of a list: the cursor of the next page; absent on the last page. */
export const nextCursorHeader = 'X-Next-Cursor'

/** Description of the headers of a list; `total`: what is counted. */
export const pageHeaders = (total = 'How many there are in all') => ({
  [nextCursorHeader]: 'Cursor of the next page; absent on the last one',
  [totalCountHeader]: total,
})

/** Answer of a list: a page of its items. */
export const pageAnswer = <Item extends TSchema>(description: string, item: Item, total?: string) => ({
  200: { description, body: Type.Array(item), headers: pageHeaders(total) },
})
