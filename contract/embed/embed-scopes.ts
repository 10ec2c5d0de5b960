import type { Permission } from '../core/permission.ts'

/** Widgets that an embed may show. */
export const embedWidgets = ['compose', 'template-picker', 'config-manager'] as const
export type EmbedWidget = (typeof embedWidgets)[number]

/** What an embed session may do. */
export const embedScopes = [
  'templates:read',
  'templates:write',
  'configs:read',
  'configs:write',
  'mail:preview',
  'mail:send',
  'images:write',
  'reports:read',
] as const
export type EmbedScope = (typeof embedScopes)[number]

/** The permissions that a session has through each scope; it reads only the messages that it has sent itself. */
export const embedScopePermissions: Readonly<Record<EmbedScope, readonly Permission[]>> = {
  'templates:read': ['templates:read'],
  'templates:write': ['templates:write'],
  'configs:read': ['mailboxes:read'],
  'configs:write': ['mailboxes:write'],
  'mail:preview': ['messages:send'],
  'mail:send': ['messages:send', 'messages:read'],
  'images:write': ['images:read', 'images:write'],
  'reports:read': ['analytics:read'],
}

const widgetScopes: Readonly<Record<EmbedWidget, readonly EmbedScope[]>> = {
  compose: [
    'configs:read',
    'templates:read',
    'templates:write',
    'mail:preview',
    'mail:send',
    'images:write',
    'reports:read',
  ],
  'template-picker': ['templates:read', 'templates:write'],
  'config-manager': ['configs:read', 'configs:write', 'mail:send'],
}

/** What the sessions of an embed with these widgets may do at most. */
export function scopesOfWidgets(widgets: readonly EmbedWidget[]): EmbedScope[] {
  return embedScopes.filter((scope) => widgets.some((widget) => widgetScopes[widget].includes(scope)))
}
