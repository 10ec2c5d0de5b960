import { expect, it } from 'vitest'
import { hashToken } from '../../domain/auth/token.ts'
import { createManageHostedKeys } from './manage-hosted-keys.ts'

const kept: { collections: string[] | null; keyHash: Buffer }[] = []
const keys = createManageHostedKeys({
  keys: {
    create: (key) => Promise.resolve(void kept.push(key)),
    list: () => Promise.resolve([]),
    revoke: () => Promise.resolve(false),
  },
  newId: () => 'id',
  newToken: (kind) => `${kind}-token`,
})

it('stores the hash of a key and its collections, each once; an empty list means all', async () => {
  expect(await keys.create({ kind: 'read', name: 'site', collections: ['b', 'a', 'b'] })).toEqual({
    id: 'id',
    apiKey: 'hosted_read-token',
  })
  await keys.create({ kind: 'write', name: 'site', collections: [] })
  expect(kept).toMatchObject([
    { collections: ['b', 'a'], keyHash: hashToken('hosted_read-token') },
    { collections: null, keyHash: hashToken('hosted_write-token') },
  ])
})

it.each([
  ['', [], /name of 1 to 100/],
  ['  ', [], /name of 1 to 100/],
  ['x'.repeat(101), [], /name of 1 to 100/],
  ['site', ['a/b'], /“a\/b” cannot be a collection/],
  ['site', [''], /“” cannot be a collection/],
])('rejects the name “%s” with the collections %j, with a message', async (name, collections, sentence) => {
  await expect(keys.create({ kind: 'read', name, collections })).rejects.toThrow(sentence)
})
