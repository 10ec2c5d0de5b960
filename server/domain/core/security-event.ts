/** Values of `security_event` in the log, for an operator's alarms. The names are stable. */
export type SecurityEventName =
  | 'sign_in_failed'
  /** A sign-in that was refused before the password check, after too many failures. */
  | 'sign_in_locked'
  /** The secret key of a mailbox was replaced. */
  | 'secret_key_rotated'
  /** The key that seals what is stored was replaced, by `npm run keys:rotate`. */
  | 'sealing_key_rotated'
  | 'session_revoked'
  | 'password_changed'

/** Whom an event is about: ids only, never an address, a token or a password. */
export interface SecurityEventFacts {
  /** Of the hosted data backend; absent for the product's own accounts. */
  realm?: 'hosted'
  /** Null: no account has this address. */
  userId?: string | null
  workspaceId?: string
  mailboxId?: string
  embedId?: string
  /** Absent where several were revoked at once. */
  sessionId?: string
  /** Whose failures lock. */
  limit?: 'account' | 'device' | 'network'
  /** Id of the key of the key file that seals from now on. */
  keyId?: string
}

/** Writes a security event. Never throws. */
export type NoteSecurityEvent = (name: SecurityEventName, facts?: SecurityEventFacts) => void
