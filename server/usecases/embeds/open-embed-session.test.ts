import { expect, it } from 'vitest'
import { embedScopes } from '../../../contract/embed/embed-scopes.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { MemberCaller } from '../../domain/auth/caller.ts'
import type { EmbedRow } from '../../domain/auth/embed.ts'
import { createOpenEmbedSession } from './open-embed-session.ts'

const embed = {
  id: 'pk_1',
  workspaceId: 'w1',
  status: 'active',
  widgets: ['compose', 'config-manager'],
  allowedOrigins: ['https://site.example'],
  mailboxIds: null,
  limits: { messagesPerSession: 1, recipientsPerSession: 1, recipientsPerDay: 1 },
} as unknown as EmbedRow

it.each([
  ['a member with every permission', 'member', null],
  ['a caller without the permissions of its scopes', 'account', 'permission_missing'],
])('an access token opens a session with the permissions of its user: %s', async (_name, kind, code) => {
  const created: unknown[] = []
  const open = createOpenEmbedSession({
    embeds: { find: () => Promise.resolve(embed) },
    embedSessions: { create: (session: unknown) => Promise.resolve(created.push(session) > 0) },
    newId: () => 'session',
    newToken: () => 'token',
    now: () => new Date(),
  })
  const scope = authorize({ kind: 'system', task: 'test' }, 'embeds:write', 'w1')
  const opened = open(scope, {
    embedId: `pk_${'a'.repeat(43)}`,
    opener: { openedBy: 'token', userId: 'u1' },
    member: { kind, userId: 'u1', workspace: { id: 'w1' } } as unknown as MemberCaller,
    origin: 'https://site.example',
    isPreview: false,
    scopes: undefined,
    lifeSeconds: undefined,
    userRef: null,
    limits: {},
  })
  if (code === null) await expect(opened).resolves.toMatchObject({ scopes: embedScopes })
  else await expect(opened).rejects.toMatchObject({ code })
  expect(created).toHaveLength(code === null ? 1 : 0)
})
