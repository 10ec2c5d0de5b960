import { createHash, createHmac } from 'node:crypto'

/** Kinds of tokens, distinguished by their prefix (embed.md). */
export type TokenKind =
  | 'access'
  | 'secret_key'
  | 'confirmation'
  | 'reset'
  | 'sign_in_code'
  | 'pending_account'
  | 'browser'
  | 'hosted_read'
  | 'hosted_write'
  | 'hosted_user'
  | 'embed'
  | 'embed_session'
  | 'embed_code'
  | 'embed_alias'

const prefixes: Record<TokenKind, string> = {
  access: 'at_',
  secret_key: 'ck_',
  confirmation: 'cf_',
  hosted_read: 'hr_',
  hosted_write: 'hw_',
  hosted_user: 'hu_',
  reset: 'rp_',
  sign_in_code: 'sc_',
  browser: 'br_',
  pending_account: 'pa_',
  embed: 'pk_',
  embed_session: 'es_',
  embed_code: 'ec_',
  embed_alias: 'eh_',
}

/** Bytes of chance in a token. */
export const tokenBytes = 32

/** Writes a token from 32 random bytes. */
export function formatToken(kind: TokenKind, random: Buffer): string {
  return prefixes[kind] + random.toString('base64url')
}

/** Whether a text could be a token of a kind: a cheap test before the database is asked. */
export function isToken(kind: TokenKind, text: string): boolean {
  return text.startsWith(prefixes[kind]) && /^[\w-]{43}$/.test(text.slice(prefixes[kind].length))
}

/** What is stored of a token that is only ever compared. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Alias of a mailbox's secret key in one embed session: derived from the session's token, so that it ends with it. */
export function embedAlias(sessionToken: string, mailboxId: string): string {
  return formatToken('embed_alias', createHmac('sha256', sessionToken).update(`config ${mailboxId}`).digest())
}
