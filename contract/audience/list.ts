import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { listDescriptionMaxChars, listNameMaxChars, listsMaxCount } from './list.limits.ts'
import * as routes from './list.routes.ts'

const List = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  is_public: Type.Boolean({ description: 'Contacts see it and can join and leave it' }),
  member_count: Type.Integer({ description: 'Subscribed members' }),
  pending_count: Type.Integer({ description: 'Members that have not confirmed' }),
  unsubscribed_count: Type.Integer(),
  growth_30_days: Type.Integer({ description: 'Members that joined less members that left' }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A list of contacts. */
export type List = Static<typeof List>

const name = Type.String({ minLength: 1, maxLength: listNameMaxChars })
const description = Type.String({ maxLength: listDescriptionMaxChars })

const NewList = Type.Object({
  name,
  description: Type.Optional(description),
  is_public: Type.Optional(Type.Boolean({ default: false })),
})
export type NewList = Static<typeof NewList>

const ListChanges = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  is_public: Type.Optional(Type.Boolean()),
})
export type ListChanges = Static<typeof ListChanges>

const byId = Type.Object({ id: Type.String({ maxLength: 40 }) })

export const listLists = defineOperation({
  name: 'listLists',
  summary: `Lists with the numbers of their members, by name; at most ${listsMaxCount}`,
  ...routeOf(routes.listLists),
  access: 'member',
  permission: 'contacts:read',
  answers: { 200: { description: 'The lists.', body: Type.Array(List) } },
  errors: [],
})

export const createList = defineOperation({
  name: 'createList',
  summary: 'Create a list',
  ...routeOf(routes.createList),
  access: 'member',
  permission: 'lists:write',
  body: NewList,
  answers: { 201: { description: 'The list.', body: List } },
  errors: ['list_exists', 'list_limit_reached'],
})

export const getList = defineOperation({
  name: 'getList',
  summary: 'A list with the numbers of its members',
  ...routeOf(routes.getList),
  access: 'member',
  permission: 'contacts:read',
  caller: 'program',
  params: byId,
  answers: { 200: { description: 'The list.', body: List } },
  errors: ['list_not_found'],
})

export const updateList = defineOperation({
  name: 'updateList',
  summary: 'Change name, description or visibility of a list; its members stay',
  ...routeOf(routes.updateList),
  access: 'member',
  permission: 'lists:write',
  params: byId,
  body: ListChanges,
  answers: { 200: { description: 'The list.', body: List } },
  errors: ['list_not_found', 'list_exists'],
})

export const deleteList = defineOperation({
  name: 'deleteList',
  summary: 'Delete a list; its contacts stay',
  ...routeOf(routes.deleteList),
  access: 'member',
  permission: 'lists:write',
  params: byId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['list_not_found'],
})
