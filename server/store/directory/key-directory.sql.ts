/**
 * The workspace of an embed, as a subquery; `parameter` is the embed's id. Triggers keep `key_directory` in step with the
 * mailboxes' secret keys and the embeds.
 */
export const workspaceOfEmbedSql = (parameter: string): string => `(
  select workspace_id from key_directory where lookup_hash = sha256(convert_to(${parameter}, 'UTF8')) and kind = 'embed'
)`

/** The mailboxes `c` that secret keys belong to; $1: HMACs of the keys. `kind`: current keys, or those they replaced. */
export const mailboxesOfKeysSql = (kind: 'secret_key' | 'old_key'): string => `key_directory k
  join email_configs c on c.workspace_id = k.workspace_id and c.id = k.object_id::uuid
  where k.lookup_hash = any($1::bytea[]) and k.kind = '${kind}'`
