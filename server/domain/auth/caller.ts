import type { Preferences, WorkspaceRole } from '../../../contract/account/account.ts'
import type { EmbedCaller, EmbedVisitor } from './embed.ts'
import type { HostedCaller } from './hosted.ts'

/**
 * The caller of an operation, or the background task or operator command that reads or changes a workspace. `kind` alone
 * distinguishes callers; `authorize` decides what each may do.
 */
export type Caller =
  | PublicCaller
  | AccountCaller
  | MemberCaller
  | SecretKeyCaller
  | EmbedCaller
  | EmbedVisitor
  | HostedCaller
  | SystemCaller
  | OperatorCaller

/** A caller without credentials. */
export interface PublicCaller {
  kind: 'public'
}

/** A session whose email address may still be unconfirmed. */
export interface AccountCaller extends SignedInUser {
  kind: 'account'
}

/** A session of a confirmed account, in a workspace. */
export interface MemberCaller extends SignedInUser {
  kind: 'member'
}

/** A program with the secret key of one mailbox. */
export interface SecretKeyCaller {
  kind: 'secret_key'
  workspaceId: string
  mailbox: Mailbox
}

/** A background task of the server, such as `maintenance`. */
export interface SystemCaller {
  kind: 'system'
  task: string
}

/** A command that an operator runs on the server, such as `account:reopen`. */
export interface OperatorCaller {
  kind: 'operator'
  command: string
}

/** The user of an access token. */
export interface SignedInUser {
  sessionId: string
  userId: string
  email: string
  firstName: string
  lastName: string
  isConfirmed: boolean
  createdAt: Date
  /** False for one that signs in elsewhere only. */
  hasPassword: boolean
  preferences: Preferences
  workspace: { id: string; name: string; role: WorkspaceRole }
}

/** A mailbox known by its secret key. */
export interface Mailbox {
  mailboxId: string
  workspaceId: string
  address: string
  /** Null while it sends; `until` null where it waits for its owner. */
  pause: { reason: string; until: Date | null } | null
  /** Differs after every change of the mailbox; null where its key ends by the clock. */
  version: string | null
  /**
   * Set where the mailbox was cached by an earlier call: reads it now. Throws where it is gone. The values
   * above are then valid only for statements that compare the version.
   */
  reload?: () => Promise<Mailbox>
}
