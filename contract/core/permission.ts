/**
 * Every permission: the title and the sentence that a screen shows for it. An operation names the one that it needs, and
 * `authorize` (server/domain/auth) compares it with what the caller holds.
 */
export const permissions = {
  'workspace:read': { title: 'See the workspace', sentence: 'See its name and use own drafts, sessions and settings.' },
  'workspace:write': { title: 'Change the workspace', sentence: 'Change its name and postal address.' },
  'workspace:close': { title: 'Close the workspace', sentence: 'Delete the workspace and everything in it.' },
  'members:read': { title: 'See members', sentence: 'See who belongs to the workspace, and open invitations.' },
  'members:write': { title: 'Manage members', sentence: 'Invite and remove members and change their roles.' },
  'roles:write': { title: 'Manage roles', sentence: 'Create, change and delete custom roles.' },
  'audit:read': { title: 'Read the audit log', sentence: 'See who changed what, and when.' },
  'audit:export': { title: 'Export the audit log', sentence: 'Download the audit log.' },
  'sso:write': { title: 'Manage single sign-on', sentence: 'Verify domains and connect an identity provider.' },
  'mailboxes:read': { title: 'See mailboxes', sentence: 'See connected mailboxes, their limits and their use.' },
  'mailboxes:write': { title: 'Manage mailboxes', sentence: 'Connect, pause, change and delete mailboxes.' },
  'keys:read': { title: 'See keys', sentence: 'See API keys and the secret keys of mailboxes.' },
  'keys:write': { title: 'Manage keys', sentence: 'Create, rotate and revoke keys.' },
  'templates:read': { title: 'See templates', sentence: 'See and use the templates of the workspace.' },
  'templates:write': { title: 'Edit templates', sentence: 'Create, change, delete and restore templates.' },
  'images:read': { title: 'See images', sentence: 'See and use the images of the workspace.' },
  'images:write': { title: 'Manage images', sentence: 'Upload, change and delete images.' },
  'campaigns:read': { title: 'See campaigns', sentence: 'See campaigns, their recipients and their progress.' },
  'campaigns:write': { title: 'Edit campaigns', sentence: 'Create, change, test and delete campaigns.' },
  'campaigns:launch': { title: 'Launch campaigns', sentence: 'Launch, pause, resume, cancel and retry campaigns.' },
  'campaigns:approve': { title: 'Approve campaigns', sentence: 'Approve or reject the campaigns of other members.' },
  'messages:read': { title: 'See messages', sentence: 'See sent messages, their deliveries and replies.' },
  'messages:send': { title: 'Send messages', sentence: 'Send messages and retry failed deliveries.' },
  'suppressions:read': { title: 'See suppressions', sentence: 'See which addresses receive no mail, and why.' },
  'suppressions:write': { title: 'Manage suppressions', sentence: 'Add, import and remove suppressions.' },
  'suppressions:export': { title: 'Export suppressions', sentence: 'Download the suppression list.' },
  'contacts:read': { title: 'See contacts', sentence: 'See contacts, lists, segments, fields and imports.' },
  'contacts:write': { title: 'Edit contacts', sentence: 'Create, change and import contacts.' },
  'contacts:export': { title: 'Export contacts', sentence: 'Download contacts with their fields.' },
  'contacts:delete': { title: 'Delete contacts', sentence: 'Delete contacts and their history.' },
  'lists:write': { title: 'Manage lists', sentence: 'Create, change and delete lists.' },
  'segments:write': { title: 'Manage segments', sentence: 'Create, change and delete segments.' },
  'sequences:read': { title: 'See sequences', sentence: 'See sequences, their steps and their progress.' },
  'sequences:write': { title: 'Edit sequences', sentence: 'Create, change and delete sequences.' },
  'sequences:launch': { title: 'Launch sequences', sentence: 'Start, pause and stop sequences.' },
  'forms:write': { title: 'Manage forms', sentence: 'Create, change and delete sign-up forms.' },
  'analytics:read': { title: 'See reports', sentence: 'See statistics and reports.' },
  'webhooks:read': { title: 'See webhooks', sentence: 'See webhooks and their deliveries.' },
  'webhooks:write': { title: 'Manage webhooks', sentence: 'Create, change and delete webhooks.' },
  'embeds:read': { title: 'See embeds', sentence: 'See embeds, their sessions and their activity.' },
  'embeds:write': {
    title: 'Manage embeds',
    sentence: 'Create, change and delete embeds, and open or end their sessions.',
  },
  'billing:read': { title: 'See billing', sentence: 'See the plan, its use and invoices.' },
  'billing:write': { title: 'Manage billing', sentence: 'Change the plan and the payment method.' },
} as const satisfies Record<`${string}:${string}`, { title: string; sentence: string }>

export type Permission = keyof typeof permissions

/** All permissions, in the order of the table. */
export const permissionNames = Object.keys(permissions) as readonly Permission[]
