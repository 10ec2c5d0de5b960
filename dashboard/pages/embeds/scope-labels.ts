import type { EmbedScope, EmbedWidget } from '../../../contract/embed/embed-scopes.ts'

/** What each widget is called, and what it is for. */
export const widgetLabels: Readonly<Record<EmbedWidget, { name: string; text: string }>> = {
  compose: { name: 'Composer', text: 'Write, preview and send a message.' },
  'template-picker': { name: 'Template picker', text: 'Choose a template, or save one.' },
  'config-manager': { name: 'Mailbox manager', text: 'Connect, pause and delete mailboxes.' },
}

/** Description of each scope for the consent screen. */
export const scopeLabels: Readonly<Record<EmbedScope, string>> = {
  'templates:read': 'Read your templates',
  'templates:write': 'Save and delete templates',
  'configs:read': 'See which mailboxes are connected, without their keys',
  'configs:write': 'Connect, pause and delete mailboxes',
  'mail:preview': 'Show how a message will look',
  'mail:send': 'Send email from the mailboxes below',
  'images:write': 'See, add and describe images',
  'reports:read': 'See how many people opened and clicked what was sent here',
}
