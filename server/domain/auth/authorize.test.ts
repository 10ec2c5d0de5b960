import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../contract/core/errors.ts'
import { permissions, type Permission } from '../../../contract/core/permission.ts'
import { embedScopes, type EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import { authorize } from './authorize.ts'
import type { Caller, MemberCaller, SecretKeyCaller } from './caller.ts'
import type { EmbedCaller, EmbedVisitor } from './embed.ts'
import type { HostedKey, HostedUserRow } from './hosted.ts'

const permissionNames = Object.keys(permissions) as readonly Permission[]
const member = { kind: 'member', userId: 'u1', workspace: { id: 'w1', name: 'One', role: 'owner' } } as MemberCaller
const secretKey = { kind: 'secret_key', workspaceId: 'w1', mailbox: { mailboxId: 'm1' } } as SecretKeyCaller
const embed = (...scopes: EmbedScope[]) =>
  ({ kind: 'embed', grant: { workspaceId: 'w1', scopes } }) as unknown as EmbedCaller
const visitor: EmbedVisitor = { kind: 'embed_visitor', embedId: 'pk_1', workspaceId: 'w1' }
const key: HostedKey = { id: 'k1', name: 'key', kind: 'write', collections: null }

function held(caller: Caller, workspaceId?: string): Permission[] {
  return permissionNames.filter((permission) => {
    try {
      return authorize(caller, permission, workspaceId).workspaceId === 'w1'
    } catch (error) {
      expect(error).toMatchObject({ code: 'permission_missing', extra: { permission } })
      expect((error as AppError).message).toContain(permission)
      return false
    }
  })
}

describe('authorize', () => {
  it.each<[string, Caller, readonly Permission[]]>([
    ['a member everything, until members have roles', member, permissionNames],
    ['a task everything', { kind: 'system', task: 'maintenance' }, permissionNames],
    ['a command everything', { kind: 'operator', command: 'account:reopen' }, permissionNames],
    [
      'a secret key to send, to read and to open embed sessions',
      secretKey,
      ['messages:read', 'messages:send', 'embeds:write'],
    ],
    ['the id of an embed to read templates', visitor, ['templates:read']],
    ['an embed session without scopes nothing', embed(), []],
    ['an embed session with templates:read', embed('templates:read'), ['templates:read']],
    ['an embed session with templates:write', embed('templates:write'), ['templates:write']],
    ['an embed session with configs:read', embed('configs:read'), ['mailboxes:read']],
    ['an embed session with configs:write', embed('configs:write'), ['mailboxes:write']],
    ['an embed session with mail:preview', embed('mail:preview'), ['messages:send']],
    ['an embed session with mail:send', embed('mail:send'), ['messages:read', 'messages:send']],
    ['an embed session with images:write', embed('images:write'), ['images:read', 'images:write']],
    ['an embed session with reports:read', embed('reports:read'), ['analytics:read']],
    [
      'an embed session with every scope the sum of them',
      embed(...embedScopes),
      [
        ...(['mailboxes:read', 'mailboxes:write', 'templates:read', 'templates:write'] as const),
        ...(['images:read', 'images:write', 'messages:read', 'messages:send'] as const),
        'analytics:read',
      ],
    ],
    ['a caller without credentials nothing', { kind: 'public' }, []],
    ['an unconfirmed account nothing', { ...member, kind: 'account' }, []],
    ['a key of the hosted data backend nothing', { kind: 'hosted', key, user: null }, []],
    ['a hosted user nothing', { kind: 'hosted_user', key, user: {} as HostedUserRow, tokenHash: Buffer.alloc(32) }, []],
  ])('allows %s', (_name, caller, expected) => {
    const isBackground = caller.kind === 'system' || caller.kind === 'operator'
    expect(held(caller, isBackground ? 'w1' : undefined)).toEqual(expected)
    expect(held(caller, 'w1')).toEqual(expected)
  })

  it.each<[string, Caller]>([
    ['member', member],
    ['secret key', secretKey],
    ['embed session', embed('mail:send')],
  ])('returns 404 for an object of another workspace to a %s', (_name, caller) => {
    expect(() => authorize(caller, 'messages:send', 'w2')).toThrow(expect.objectContaining({ code: 'not_found' }))
  })

  it('returns a scope of the workspace with all lists and mailboxes', () => {
    expect(authorize(member, 'templates:read')).toEqual({ workspaceId: 'w1', lists: 'all', mailboxes: 'all' })
    expect(authorize({ kind: 'system', task: 'send' }, 'messages:send', 'w7').workspaceId).toBe('w7')
  })
})
