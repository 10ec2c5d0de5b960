/** In place of the address in mails to a person whose data was erased. */
export const erasedRecipient = '(erased)'

/** Salted hash of an address in lower case, as `erased_addresses` holds it. `key`, `salt`: SQL expressions. */
export const erasedHashSql = (key: string, salt = 'w.address_salt') =>
  `substr(sha256(${salt} || convert_to(${key}, 'UTF8')), 1, 16)`

/** Whether an address in lower case was erased in a workspace. `workspaceId`, `key`: SQL expressions. */
export const isErasedSql = (workspaceId: string, key: string) => `exists (
  select from workspaces w
    join erased_addresses e on e.workspace_id = ${workspaceId} and e.address_hash = ${erasedHashSql(key)}
  where w.id = ${workspaceId})`
