import { addListRoutes } from '../http/lists/list.ts'
import { createListStore } from '../store/lists/list.ts'
import { createListService } from '../usecases/lists/list-service.ts'
import type { Noun, Parts } from './core/parts.ts'
import { segmentStore } from './segments.ts'

export const listStore = ({ database }: Parts) => createListStore(database)

export const lists: Noun = {
  addRoutes: (add, { now, resolve }) =>
    addListRoutes(add, createListService({ lists: resolve(listStore), segments: resolve(segmentStore), now })),
}
