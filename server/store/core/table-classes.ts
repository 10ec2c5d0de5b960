/**
 * How a table is distributed over shards. `tenant`: by `workspace_id`, with the other tables of the workspace; every key
 * begins with it. `reference`: a copy on each shard. `local`: on the coordinator.
 */
export type TableClass = 'tenant' | 'reference' | 'local'

/** Every table of the schema. `workspaces` is distributed by its `id`. */
export const tableClasses: Readonly<Record<string, TableClass>> = {
  campaign_recipients: 'tenant',
  campaigns: 'tenant',
  deliveries: 'tenant',
  delivery_count_changes: 'tenant',
  delivery_counts: 'tenant',
  drafts: 'tenant',
  email_configs: 'tenant',
  embed_audit: 'tenant',
  embed_usage: 'tenant',
  embeds: 'tenant',
  idempotency_keys: 'tenant',
  mailbox_slots: 'tenant',
  mailbox_usage: 'tenant',
  members: 'tenant',
  messages: 'tenant',
  suppressions: 'tenant',
  templates: 'tenant',
  workspaces: 'tenant',

  users: 'reference',
  vault_keys: 'reference',

  acceptances: 'local',
  account_tokens: 'local',
  attempts: 'local',
  clock_jumps: 'local',
  embed_codes: 'local',
  embed_sessions: 'local',
  hosted_changes: 'local',
  hosted_collections: 'local',
  hosted_documents: 'local',
  hosted_keys: 'local',
  hosted_seeds: 'local',
  hosted_tokens: 'local',
  hosted_users: 'local',
  identities: 'local',
  key_directory: 'local',
  pending_accounts: 'local',
  sandbox_messages: 'local',
  sessions: 'local',
  workspace_directory: 'local',
}
