/** A sign-in to be kept; the token itself is not. */
export interface NewSession {
  id: string
  userId: string
  tokenHash: Buffer
  userAgent: string | null
  expiresAt: Date
}

/** A sign-in that has not ended. */
export interface SessionRow {
  id: string
  userAgent: string | null
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}
