import type { DayCounts } from '../../contract/results/statistics.ts'
import type { Campaign } from '../../contract/mail/campaign.ts'
import type { User } from '../../contract/account/account.ts'
import type { Config, ConfigUsage } from '../../contract/mail/config.ts'
import type { Embed, EmbedAuditEntry, EmbedSession } from '../../contract/embed/embed.ts'
import type { EmbedConsent } from '../../contract/embed/embed-session.ts'
import { deliveryStates, type DeliveryState, type Message } from '../../contract/mail/message.ts'
import type { SandboxMessage } from '../../contract/mail/sandbox.ts'
import type { Document } from '../../contract/hosted/hosted.ts'
import type { Suppression } from '../../contract/audience/suppression.ts'
import type { Template } from '../../contract/mail/template.ts'

/** A signed-in user with a confirmed address. */
export function sampleUser(changes: Partial<User> = {}): User {
  return {
    id: 'usr_1',
    email: 'studio@northwind.example',
    first_name: 'Ada',
    last_name: 'North',
    confirmed_email: true,
    created_at: '2025-08-14T09:30:00.000Z',
    has_password: true,
    // The rows of the first edition are about HTML mode.
    preferences: { composer_mode: 'html' },
    workspace: { id: 'wsp_1', name: 'Northwind', role: 'owner' },
    ...changes,
  }
}

/** A connected mailbox. */
export function sampleConfig(changes: Partial<Config> = {}): Config {
  return {
    id: 'cfg_1',
    email_address: 'studio@northwind.example',
    provider: 'gmail',
    secret_key: 'ck_4f9a7c1e5b2d8f60',
    status: 'active',
    pause_reason: null,
    created_at: '2025-08-14T09:30:00.000Z',
    ...changes,
  }
}

/** The usage of a mailbox. */
export function sampleUsage(changes: Partial<ConfigUsage> = {}): ConfigUsage {
  return {
    id: 'cfg_1',
    minute_count: 0,
    minute_limit: null,
    day_count: 120,
    day_limit: 450,
    connection_limit: 3,
    own_limits: { limit_per_minute: null, limit_per_day: null, limit_connections: null },
    provider_limits: { limit_per_minute: null, limit_per_day: 450, limit_connections: 3 },
    last_error: null,
    ...changes,
  }
}

/** A saved template. */
export function sampleTemplate(changes: Partial<Template> = {}): Template {
  return {
    id: 'tpl_1',
    key: 'doors-open-thursday-4f9a7c1e',
    name: '',
    subject: 'Doors open Thursday, {{first_name}}',
    body: '<p>Dear {{first_name}}, we kept two places for you.</p>',
    mode: 'html',
    preheader: '',
    revision: 1,
    context: ['first_name'],
    status: 'ready',
    created_at: '2025-08-14T09:30:00.000Z',
    updated_at: '2025-08-14T09:30:00.000Z',
    ...changes,
  }
}

/** A document of the library of global templates. */
export function sampleGlobal(id: string, data: Document['data']): Document {
  const date = '2025-08-14T09:30:00.000Z'
  return { id, data, created_at: date, updated_at: date }
}

/** A message with the given recipients. */
export function sampleMessage(states: Record<string, DeliveryState>, changes: Partial<Message> = {}): Message {
  const none = { queued: 0, sending: 0, sent: 0, deferred: 0, failed: 0, suppressed: 0, cancelled: 0, unknown: 0 }
  const counts: Message['counts'] = { ...none }
  for (const state of Object.values(states)) counts[state] += 1
  return {
    id: 'msg_1',
    from: 'studio@northwind.example',
    subject: 'Doors open Thursday',
    created_at: '2025-08-14T09:30:00.000Z',
    counts,
    deliveries: Object.entries(states).map(([recipient, state], at) => ({
      recipient,
      state,
      message_id: `<${at}@northwind.example>`,
      attempts: state === 'queued' ? 0 : 1,
      reply: state === 'sent' ? '250 2.0.0 OK' : state === 'failed' ? '550 5.1.1 No such user' : null,
      next_attempt_at: null,
      settled_at: state === 'sent' || state === 'failed' ? '2025-08-14T09:30:02.000Z' : null,
    })),
    ...changes,
  }
}

/** A campaign before its launch. */
export function sampleCampaign(changes: Partial<Campaign> = {}): Campaign {
  return {
    id: 'cmp_1',
    name: 'Autumn show',
    subject: 'Doors open Thursday',
    body: '<p>Dear {{name}}</p>',
    context: {},
    mode: 'html',
    preheader: '',
    from_name: null,
    reply_to: null,
    kind: 'bulk',
    revision: 1,
    undo_until: null,
    config_id: 'cfg_1',
    config_ids: ['cfg_1'],
    list_ids: [],
    segment_ids: [],
    exclude_list_ids: [],
    exclude_segment_ids: [],
    template_id: null,
    tracking: null,
    utm: {},
    frequency_exempt: false,
    status: 'draft',
    staged: false,
    status_reason: null,
    scheduled_at: null,
    timezone: null,
    created_at: '2025-08-14T09:30:00.000Z',
    started_at: null,
    finished_at: null,
    finishes_at: null,
    counts: campaignCounts({}),
    ...changes,
  }
}

/** Recipients of a campaign by state. */
export function campaignCounts(states: Partial<Record<DeliveryState, number>>): Campaign['counts'] {
  const counts = Object.fromEntries(deliveryStates.map((state) => [state, states[state] ?? 0]))
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { total, ...counts } as Campaign['counts']
}

/** An address unknown to its mail server. */
export function sampleSuppression(changes: Partial<Suppression> = {}): Suppression {
  return {
    id: 'sup_1',
    email: 'gone@example.org',
    reason: 'bounced',
    detail: '550 5.1.1 No such user here',
    campaign_id: null,
    created_at: '2025-08-14T09:30:00.000Z',
    ...changes,
  }
}

/** A mail that the sandbox received. */
export function sampleSandboxMessage(changes: Partial<SandboxMessage> = {}): SandboxMessage {
  return {
    id: 'sbx_1',
    from: 'studio@northwind.example',
    to: ['visitor-1@example.org'],
    subject: 'Doors open Thursday',
    date: '2025-08-14T09:30:00.000Z',
    html: '<h2>The autumn show</h2><p>Dear friend, the doors open at six.</p>',
    text: 'The autumn show\n\nDear friend, the doors open at six.',
    headers: { from: 'studio@northwind.example', subject: 'Doors open Thursday' },
    raw: 'From: studio@northwind.example\r\nSubject: Doors open Thursday\r\n\r\nDear friend',
    ...changes,
  }
}

/** A valid embed id. */
export const sampleEmbedId = `pk_${'Nw7'.repeat(14)}A`

/** An embed of a shop's admin. */
export function sampleEmbed(changes: Partial<Embed> = {}): Embed {
  return {
    id: sampleEmbedId,
    name: 'Shop admin',
    allowed_origins: ['https://admin.northwind.example'],
    widgets: ['compose', 'template-picker'],
    config_ids: null,
    limits: { messages_per_session: 20, recipients_per_session: 100, recipients_per_day: 1000 },
    popup_sign_in: true,
    status: 'active',
    recipients_today: 38,
    created_at: '2025-08-14T09:30:00.000Z',
    ...changes,
  }
}

/** An open session of an embed. */
export function sampleEmbedSession(changes: Partial<EmbedSession> = {}): EmbedSession {
  return {
    id: 'ses_1',
    origin: 'https://admin.northwind.example',
    scopes: ['configs:read', 'mail:send'],
    user_ref: 'till-2',
    opened_by: 'key',
    status: 'active',
    messages: 2,
    recipients: 5,
    created_at: '2025-08-14T09:30:00.000Z',
    expires_at: '2025-08-14T09:45:00.000Z',
    ended_at: null,
    ...changes,
  }
}

/** A message sent by a session. */
export function sampleAuditEntry(changes: Partial<EmbedAuditEntry> = {}): EmbedAuditEntry {
  return {
    id: '1',
    at: '2025-08-14T09:32:00.000Z',
    act: 'message-sent',
    session_id: 'ses_1',
    origin: 'https://admin.northwind.example',
    user_ref: 'till-2',
    message_id: 'msg_1',
    subject: 'Your order is on its way',
    recipients: 3,
    ...changes,
  }
}

/** The request of a page. */
export function sampleConsent(changes: Partial<EmbedConsent> = {}): EmbedConsent {
  return {
    embed: { id: sampleEmbedId, name: 'Shop admin' },
    origin: 'https://admin.northwind.example',
    workspace: 'Northwind',
    scopes: ['configs:read', 'templates:read', 'mail:preview', 'mail:send'],
    mailboxes: ['studio@northwind.example'],
    limits: { messages: 20, recipients: 100 },
    minutes: 15,
    ...changes,
  }
}

/** A day of the statistics. */
export const sampleDay = (given: Partial<DayCounts> = {}): DayCounts => ({
  ...{ day: '2025-08-14', sent: 0, failed: 0, waiting: 0, delivered: given.sent ?? 0 },
  ...{ opened: 0, clicked: 0, replied: 0, bounced: 0, unsubscribed: 0 },
  ...given,
})
