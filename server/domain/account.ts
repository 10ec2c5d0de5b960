import type { AcceptableDocument } from '../../contract/limits.ts'
import type { NewMessage } from './message.ts'

/** A person as the sign-in call needs them. */
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
  passwordHash: string
  referralSource: string | null
  trialEndsAt: Date
  isConfirmed: boolean
  /** The documents that the person accepts with the account; `documentDate` is the day of the version. */
  accepted: readonly { document: AcceptableDocument; documentDate: string }[]
}

/** A confirmation token, stored as its hash, and the mail that carries it. */
export interface NewConfirmation {
  tokenHash: Buffer
  expiresAt: Date
  mail: NewMessage
}
