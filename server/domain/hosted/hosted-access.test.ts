import { describe, expect, it } from 'vitest'
import { mayRead, mayWrite } from './hosted-access.ts'
import type { HostedKey, HostedUserRow } from '../auth/hosted.ts'

const key = (kind: HostedKey['kind'], collections: string[] | null): HostedKey => ({
  id: 'k',
  name: 'k',
  kind,
  collections,
})
const user = (id: string): HostedUserRow => ({
  id,
  email: 'a@example.com',
  data: {},
  createdAt: new Date(0),
  updatedAt: new Date(0),
})

const page = key('read', ['templates'])
const reader = key('read', ['news'])
const openReader = key('read', null)
const writer = key('write', ['news'])
const operator = key('write', null)

describe('access to a collection', () => {
  it.each<[who: string, key: HostedKey, userId: string | null, collection: string, read: boolean, write: boolean]>([
    ['the page’s key', page, null, 'templates', true, false],
    ['the page’s key', page, null, 'news', false, false],
    ['a read key for news', reader, null, 'templates', true, false],
    ['a read key for news', reader, null, 'news', true, false],
    ['a read key for news', reader, null, 'orders', false, false],
    ['a read key for everything', openReader, null, 'orders', true, false],
    ['a read key for everything', openReader, null, 'user-1', false, false],
    ['a write key for news', writer, null, 'news', true, true],
    ['a write key for news', writer, null, 'templates', true, false],
    ['a write key for news', writer, null, 'user-1', false, false],
    ['the operator’s key', operator, null, 'templates', true, true],
    ['the operator’s key', operator, null, 'user-1', true, true],
    ['a user with the page’s key', page, '1', 'user-1', true, true],
    ['a user with the page’s key', page, '1', 'user-2', false, false],
    ['a user with the page’s key', page, '1', 'user-', false, false],
    ['a user with the page’s key', page, '1', 'templates', true, false],
    ['a user with a read key for everything', openReader, '1', 'user-2', false, false],
    ['nobody', page, null, 'user-', false, false],
  ])('%s: %o %s %s reads %s, writes %s', (_who, given, userId, collection, read, write) => {
    const caller = { key: given, user: userId === null ? null : user(userId) }
    expect([mayRead(caller, collection), mayWrite(caller, collection)]).toEqual([read, write])
  })
})
