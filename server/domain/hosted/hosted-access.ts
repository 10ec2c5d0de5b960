import {
  ownCollectionMaxBytes,
  ownCollectionMaxCount,
  templatesCollection,
} from '../../../contract/hosted/hosted.limits.ts'
import type { HostedCaller, HostedKey } from '../auth/hosted.ts'

const ownPrefix = 'user-'

/** The collection that belongs to a hosted user. */
export function ownCollectionOf(userId: string): string {
  return ownPrefix + userId
}

/** Whether a collection belongs to any hosted user. */
export function isOwnCollection(collection: string): boolean {
  return collection.startsWith(ownPrefix)
}

/**
 * Who may read a collection. `templates`: every key. A hosted user's own: that user, and a `write` key. All others: the
 * keys that name them, and keys that are not confined to any.
 */
export function mayRead(caller: Access, collection: string): boolean {
  if (collection === templatesCollection || isTheirOwn(caller, collection)) return true
  return opens(caller.key, collection) && (caller.key.kind === 'write' || !isOwnCollection(collection))
}

/** Who may write into a collection: `write` keys where they open it, and a hosted user into the one of their own. */
export function mayWrite(caller: Access, collection: string): boolean {
  return isTheirOwn(caller, collection) || (caller.key.kind === 'write' && opens(caller.key, collection))
}

/** What a collection may hold; null without a bound. `octets` are of the documents' data as PostgreSQL writes it. */
export interface CollectionQuota {
  count: number
  octets: number
}

/** A hosted user's own collection is bounded, for anybody may become one; an operator's are not. */
export function quotaOf(collection: string): CollectionQuota | null {
  return isOwnCollection(collection) ? { count: ownCollectionMaxCount, octets: ownCollectionMaxBytes } : null
}

type Access = Pick<HostedCaller, 'key' | 'user'>

function isTheirOwn({ user }: Access, collection: string): boolean {
  return user !== null && collection === ownCollectionOf(user.id)
}

function opens({ collections }: HostedKey, collection: string): boolean {
  return collections === null || collections.includes(collection)
}
