import { statSync } from 'node:fs'
import type { Pool } from 'pg'
import { createKeyRing, KeyRingError, readKeyRing, readKeyRingSync, type KeyRing } from './key-ring.ts'
import { createVault, type FollowRing, type Place, type Vault } from './vault.ts'

const checkText = 'sendwright'
const checkPlace = (id: string): Place => ({ table: 'vault_keys', column: 'check_sealed', row: id, workspace: '' })

/**
 * Opens the vault of a database: reads the key file, or creates it on the first run, and checks that it sealed the
 * database's values. Throws KeyRingError if a start could lose or mix secrets.
 */
export async function openVault(pool: Pool, path: string): Promise<Vault> {
  const { rows } = await pool.query<{ id: string; check_sealed: Buffer }>('select id, check_sealed from vault_keys')
  const found = await readKeyRing(path)
  if (found === null && rows.length > 0) {
    throw new KeyRingError(
      `The key file ${path} is missing, and the database holds secrets sealed with it; restore the file, or set SECRET_KEY_FILE.`,
    )
  }
  const ring = found ?? (await createKeyRing(path))
  const vault = createVault(ring, followFile(path, ring))
  for (const row of rows) {
    if (!opens(vault, row.check_sealed, row.id)) {
      throw new KeyRingError(
        `The key file ${path} is not the one that this database was sealed with; restore the right one, or set SECRET_KEY_FILE.`,
      )
    }
  }
  if (!rows.some((row) => row.id === ring.currentId)) await noteCurrentKey(pool, vault, ring.currentId)
  return vault
}

/** Records that the current key seals values of this database, so that a start without it is refused. */
export async function noteCurrentKey(pool: Pick<Pool, 'query'>, vault: Vault, currentId: string): Promise<void> {
  await pool.query('insert into vault_keys (id, check_sealed) values ($1, $2) on conflict do nothing', [
    currentId,
    vault.seal(checkText, checkPlace(currentId)),
  ])
}

/**
 * Reads the ring again after `keys:rotate` has replaced its file. An unreadable file, or one that is not the same ring
 * with keys added, is ignored.
 */
function followFile(path: string, first: KeyRing): FollowRing {
  let ring = first
  let seen = stampOf(path)
  return (isNeeded) => {
    const stamp = stampOf(path)
    if (stamp === null || (stamp === seen && !isNeeded)) return null
    seen = stamp
    try {
      const found = readKeyRingSync(path)
      if (found.anchorId !== ring.anchorId || ![...ring.keys.keys()].every((id) => found.keys.has(id))) return null
      return (ring = found)
    } catch (error) {
      if (!(error instanceof KeyRingError)) throw error
      return null // As above: the next change is looked at again.
    }
  }
}

function stampOf(path: string): string | null {
  const at = statSync(path, { throwIfNoEntry: false })
  return at === undefined ? null : `${at.ino} ${at.mtimeMs} ${at.size}`
}

function opens(vault: Vault, sealed: Buffer, id: string): boolean {
  try {
    return vault.open(sealed, checkPlace(id)) === checkText
  } catch {
    return false // Each way of not opening means the same here: the wrong file.
  }
}
