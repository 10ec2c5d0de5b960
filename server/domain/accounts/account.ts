import {
  acceptableDocuments,
  documentDates,
  type AcceptableDocument,
} from '../../../contract/account/account.limits.ts'
import type { NewMessage } from '../messages/message.ts'

/** A user for the sign-in call. */
export interface Account {
  id: string
  email: string
  firstName: string
  passwordHash: string | null
  isConfirmed: boolean
}

/** Sign-up: the account, its workspace, and the token and mail that confirm it, all or nothing. */
export interface NewAccount {
  id: string
  workspaceId: string
  workspaceName: string
  email: string
  firstName: string
  lastName: string
  /** Null for an account that signs in elsewhere only. */
  passwordHash: string | null
  referralSource: string | null
  isConfirmed: boolean
  /** Documents accepted at sign-up; `documentDate` is the date of the version. */
  accepted: readonly { document: AcceptableDocument; documentDate: string }[]
}

/** Both ways to a new account say that it is accepted with these. */
export const acceptedWithAccount: NewAccount['accepted'] = acceptableDocuments.map((document) => ({
  document,
  documentDate: documentDates[document],
}))

/** Identity at an OpenID provider: `subject` never changes, the address may. */
export interface Identity {
  issuer: string
  subject: string
}

/** A one-time code for /login, stored as its hash, and the browser it works in. */
export interface NewSignInCode {
  userId: string
  tokenHash: Buffer
  /** Hash of what the browser's cookie holds. */
  browserHash: Buffer
  expiresAt: Date
}

/** A confirmation token, stored as its hash, and the mail that carries it. */
export interface NewConfirmation {
  tokenHash: Buffer
  expiresAt: Date
  mail: NewMessage
}

/** Acceptance of a document by a user; `documentDate` is the date of its version. */
export interface Acceptance {
  userId: string
  document: AcceptableDocument
  documentDate: string
}
