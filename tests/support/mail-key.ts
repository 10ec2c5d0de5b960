import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { readKeyRing } from '../../server/store/vault/key-ring.ts'
import { createVault } from '../../server/store/vault/vault.ts'

/** The key by which a server with this data folder signs the links of mails. */
export async function readMailKey(folder: string): Promise<KeyObject> {
  const ring = await readKeyRing(join(folder, 'secret.key'))
  if (ring === null) throw new Error('The server has no key')
  const vault = createVault(ring)
  return vault.mailKey(vault.mailKeyId())
}
