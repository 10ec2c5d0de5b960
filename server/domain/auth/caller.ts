import type { Preferences, WorkspaceRole } from '../../../contract/account/account.ts'

/** Who is calling with an access token. */
export interface Caller {
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
   * Set where it was not read for this call but remembered from an earlier one: reads it now. Throws where it is gone. What
   * stands above then holds only for what names the version when it is done.
   */
  lookAgain?: () => Promise<Mailbox>
}
