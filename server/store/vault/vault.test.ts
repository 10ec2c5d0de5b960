import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyRing, KeyRingError, readKeyRing, type KeyRing } from './key-ring.ts'
import { createVault, VaultError, type Place } from './vault.ts'

const place: Place = { table: 'email_configs', column: 'app_password', row: 'r1', workspace: 'w1' }
let folder: string
let ring: KeyRing

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendwright vault '))
  ring = await createKeyRing(join(folder, 'keys', 'secret.key'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the vault', () => {
  it('opens what it sealed, in the same place', () => {
    const vault = createVault(ring)
    expect(vault.open(vault.seal('abcd efgh ñ', place), place)).toBe('abcd efgh ñ')
  })

  it('seals one secret to different bytes each time, none of them the secret', () => {
    const vault = createVault(ring)
    const [first, second] = [vault.seal('hunter2', place), vault.seal('hunter2', place)]
    expect(first.equals(second)).toBe(false)
    expect(first.includes('hunter2')).toBe(false)
  })

  it.each([
    ['row', { row: 'r2' }],
    ['workspace', { workspace: 'w2' }],
    ['column', { column: 'secret_key' }],
    ['table', { table: 'messages' }],
  ])('H27 a value moved to another %s does not open', (_what, moved) => {
    const vault = createVault(ring)
    const sealed = vault.seal('hunter2', place)
    expect(() => vault.open(sealed, { ...place, ...moved })).toThrow(VaultError)
  })

  it('H27 a value with any bit changed does not open', () => {
    const vault = createVault(ring)
    const sealed = vault.seal('hunter2', place)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => vault.open(changed, place)).toThrow(VaultError)
    }
  })

  it('H27 another key file opens nothing', async () => {
    const other = createVault(await createKeyRing(join(folder, 'other.key')))
    const sealed = createVault(ring).seal('hunter2', place)
    expect(() => other.open(sealed, place)).toThrow(VaultError)
    expect(other.lookup('ck_1').equals(createVault(ring).lookup('ck_1'))).toBe(false)
  })

  it('computes the same lookup of a secret at every start', async () => {
    const again = await readKeyRing(join(folder, 'keys', 'secret.key'))
    expect(again && createVault(again).lookup('ck_1')).toEqual(createVault(ring).lookup('ck_1'))
  })
})

describe('the key file', () => {
  it('is readable by its owner only, and never replaced', async () => {
    const path = join(folder, 'keys', 'secret.key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const before = await readFile(path, 'utf8')
    await expect(createKeyRing(path)).rejects.toThrow(KeyRingError)
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  it('is refused while other users can read it; the error says what to do', async () => {
    const path = join(folder, 'open.key')
    await createKeyRing(path)
    await chmod(path, 0o644)
    await expect(readKeyRing(path)).rejects.toThrow('chmod 600')
  })

  it.each(['', '{}', '{"current":"k1","keys":{}}', '{"current":"k1","keys":{"k1":"c2hvcnQ="}}', '["k1"]', 'null'])(
    'is refused when it holds %j',
    async (text) => {
      const path = join(folder, 'damaged.key')
      await writeFile(path, text, { mode: 0o600 })
      await expect(readKeyRing(path)).rejects.toThrow('restore it')
    },
  )

  it('is null if there is none', async () => {
    expect(await readKeyRing(join(folder, 'none.key'))).toBeNull()
  })
})
