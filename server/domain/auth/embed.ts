import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedScope, EmbedWidget } from '../../../contract/embed/embed-scopes.ts'

/** How much an embed may send. */
export interface EmbedLimits {
  messagesPerSession: number
  recipientsPerSession: number
  recipientsPerDay: number
}

/** Settings of an embed. */
export interface EmbedTexts {
  name: string
  /** As browsers send them. */
  allowedOrigins: readonly string[]
  widgets: readonly EmbedWidget[]
  /** Null for all of the workspace. */
  mailboxIds: readonly string[] | null
  limits: EmbedLimits
  popupSignIn: boolean
  status: 'active' | 'paused'
}

export interface EmbedRow extends EmbedTexts {
  id: string
  workspaceId: string
  recipientsToday: number
  createdAt: Date
}

/** Who let a session in. */
export type EmbedOpener =
  | { openedBy: 'key'; mailboxId: string }
  | { openedBy: 'token'; userId: string }
  | { openedBy: 'consent'; userId: string }

/** A session to be kept; the token itself is not. */
export interface NewEmbedSession {
  id: string
  embedId: string
  tokenHash: Buffer
  origin: string
  isPreview: boolean
  scopes: readonly EmbedScope[]
  /** Null for all that the embed may use. */
  mailboxIds: readonly string[] | null
  userRef: string | null
  opener: EmbedOpener
  messagesLimit: number
  recipientsLimit: number
  expiresAt: Date
}

/** A session as the embed's owner sees it. */
export interface EmbedSessionRow {
  id: string
  origin: string
  scopes: readonly EmbedScope[]
  userRef: string | null
  openedBy: EmbedOpener['openedBy']
  isLive: boolean
  messageCount: number
  recipientCount: number
  createdAt: Date
  expiresAt: Date
  endedAt: Date | null
}

/** Grants of a live session: never more than its embed allows now. */
export interface EmbedGrant {
  sessionId: string
  embedId: string
  workspaceId: string
  origin: string
  isPreview: boolean
  scopes: readonly EmbedScope[]
  /** Null for all of the workspace. */
  mailboxIds: readonly string[] | null
  userRef: string | null
  userId: string | null
  recipientsPerDay: number
}

/** A page with an embed session. */
export interface EmbedCaller {
  kind: 'embed'
  grant: EmbedGrant
  /** Alias of a mailbox's secret key in this session. */
  aliasOf: (mailboxId: string) => string
  /** Whether it could make this call still, for what goes on after its start. */
  isLive: () => Promise<boolean>
}

/** A page with an embed's id alone: sees public templates. */
export interface EmbedVisitor {
  kind: 'embed_visitor'
  embedId: string
  workspaceId: string
}

/** One thing that a session did. */
export interface EmbedAuditRow {
  id: number
  at: Date
  act: EmbedAct
  sessionId: string
  origin: string
  userRef: string | null
  messageId: string | null
  subject: string | null
  recipientCount: number
}

/** Whether a session may use a configuration. */
export function canUseMailbox({ mailboxIds }: Pick<EmbedGrant, 'mailboxIds'>, id: string): boolean {
  return mailboxIds === null || mailboxIds.includes(id)
}

/** What both allow; null is all. */
export function narrowConfigs(
  embed: readonly string[] | null,
  session: readonly string[] | null,
): readonly string[] | null {
  if (embed === null) return session
  return session === null ? embed : session.filter((id) => embed.includes(id))
}
