import { Type } from 'typebox'
import { listDefaultCount, listMaxCount } from './limits.ts'

/** Query of every list (decisions, API). */
export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: listMaxCount, default: listDefaultCount })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 })),
}

/** Header of a list's answer that counts all rows. */
export const totalCountHeader = 'X-Total-Count'
