import type { Pool } from 'pg'
import { createKeyRing, KeyRingError, readKeyRing } from './key-ring.ts'
import { createVault, type Place, type Vault } from './vault.ts'

const checkText = 'sendwright'
const checkPlace = (id: string): Place => ({ table: 'vault_keys', column: 'check_sealed', row: id, workspace: '' })

/**
 * Opens the vault of a database: reads the key file, makes one on the first run, and proves that it is the one that
 * sealed what the database holds. Throws KeyRingError where starting would lose or mix secrets.
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
  const vault = createVault(ring)
  for (const row of rows) {
    if (!opens(vault, row.check_sealed, row.id)) {
      throw new KeyRingError(
        `The key file ${path} is not the one that this database was sealed with; restore the right one, or set SECRET_KEY_FILE.`,
      )
    }
  }
  if (!rows.some((row) => row.id === ring.currentId)) {
    const sealed = vault.seal(checkText, checkPlace(ring.currentId))
    await pool.query('insert into vault_keys (id, check_sealed) values ($1, $2) on conflict do nothing', [
      ring.currentId,
      sealed,
    ])
  }
  return vault
}

function opens(vault: Vault, sealed: Buffer, id: string): boolean {
  try {
    return vault.open(sealed, checkPlace(id)) === checkText
  } catch {
    return false // Each way of not opening means the same here: the wrong file.
  }
}
