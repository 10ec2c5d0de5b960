import { describe, expect, it } from 'vitest'
import type { Access } from '../../contract/core/operation.ts'
import { operations } from '../../contract/core/operations.ts'
import { permissions, type Permission } from '../../contract/core/permission.ts'

/** Access kinds of callers without a workspace, which cannot hold a permission. */
const withoutWorkspace: readonly Access[] = ['public', 'account', 'hosted', 'hosted-user', 'loopback']

/** Names of operations that need a permission and have none, or have one that none of their callers can hold. */
function breaches(list: readonly { name: string; access: Access; permission: Permission | null }[]): string[] {
  return list
    .filter(({ access, permission }) => (permission === null) !== withoutWorkspace.includes(access))
    .map(({ name }) => name)
}

describe('permissions', () => {
  it('are named by every operation of a workspace, and by no other', () => {
    expect(breaches(operations)).toEqual([])
  })

  it.each<[Access, Permission | null]>([
    ['member', null],
    ['key', null],
    ['opener', null],
    ['public', 'templates:read'],
    ['account', 'workspace:read'],
    ['hosted', 'templates:read'],
  ])('an operation with access %s and permission %s fails the check', (access, permission) => {
    expect(breaches([...operations, { name: 'planted', access, permission }])).toEqual(['planted'])
  })

  it('have a title and one sentence each, and unique titles', () => {
    const all = Object.values(permissions)
    for (const { title, sentence } of all) {
      expect(title).toMatch(/^[A-Z][^.]*$/)
      expect(sentence).toMatch(/^[A-Z][^.]*\.$/)
    }
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
  })
})
