import { collectionNameMaxChars, documentIdMaxChars } from '../../../contract/hosted/hosted.limits.ts'

/** `read` keys are public in pages; `write` keys are the operator's. */
export type HostedKeyKind = 'read' | 'write'

/** An API key of the hosted data backend, without the key. */
export interface HostedKey {
  id: string
  name: string
  kind: HostedKeyKind
  /** Which collections it opens, beside `templates`; null for all. */
  collections: readonly string[] | null
}

/** The same as its operator sees it. */
export interface HostedKeyRow extends HostedKey {
  createdAt: Date
  revokedAt: Date | null
}

/** A JSON object. */
export type DocumentData = Record<string, unknown>

/** A user of the hosted data backend. */
export interface HostedUserRow {
  id: string
  email: string
  data: DocumentData
  createdAt: Date
  updatedAt: Date
}

/** A caller of the hosted data backend: an API key, with the token of a hosted user or without. */
export type HostedCaller = HostedKeyCaller | HostedUserCaller

export interface HostedKeyCaller {
  kind: 'hosted'
  key: HostedKey
  user: null
}

export interface HostedUserCaller {
  kind: 'hosted_user'
  key: HostedKey
  user: HostedUserRow
  /** Of the user's token: a new password ends every other token. */
  tokenHash: Buffer
}

export interface DocumentRow {
  id: string
  data: DocumentData
  createdAt: Date
  updatedAt: Date
}

export type ChangeKind = 'created' | 'updated' | 'deleted'

/** One change of a collection; `id` counts them in the order of their commits, without a gap. */
export type Change =
  | { id: number; kind: 'created' | 'updated'; document: DocumentRow }
  | { id: number; kind: 'deleted'; document: Pick<DocumentRow, 'id'> }

/** A document that is shipped with us. `version` changes whenever `data` does. */
export interface Seed {
  id: string
  version: string
  data: DocumentData
}

/** Result of seeding. */
export interface SeedResult {
  createdCount: number
  updatedCount: number
}

const name = /^[A-Za-z0-9][\w.-]*$/

/** Whether a text can name a collection: anything else names none, and is never sent to the database. */
export function isCollectionName(text: string): boolean {
  return text.length <= collectionNameMaxChars && name.test(text)
}

/** Whether a text can be a document's id. */
export function isDocumentId(text: string): boolean {
  return text.length <= documentIdMaxChars && name.test(text)
}
