import type { Operation } from './operation.ts'
import * as lists from './operation-lists.ts'

/** All operations. Routes, client, OpenAPI description and documents are compared with this list. */
export const operations: readonly Operation[] = Object.values(lists).flat()
