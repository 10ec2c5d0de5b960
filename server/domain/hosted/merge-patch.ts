import type { DocumentData } from '../auth/hosted.ts'

/**
 * Merges a patch into an object by RFC 7396: objects merge field by field, null removes a field, everything else takes
 * the old value's place. Neither input is changed.
 */
export function mergePatch(target: DocumentData, patch: DocumentData): DocumentData {
  const kept = new Map(Object.entries(target))
  for (const [field, value] of Object.entries(patch)) {
    const known = kept.get(field)
    if (value === null) kept.delete(field)
    else kept.set(field, isObject(value) ? mergePatch(isObject(known) ? known : {}, value) : value)
  }
  // Not by assignment, which takes a field named __proto__ for something else.
  return Object.fromEntries(kept)
}

function isObject(value: unknown): value is DocumentData {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
