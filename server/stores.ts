import { formatToken } from './domain/auth/token.ts'
import { createAcceptanceStore } from './store/accounts/acceptance.ts'
import { createAccountStore } from './store/accounts/account.ts'
import { createCampaignClock } from './store/campaigns/campaign-clock.ts'
import { createCampaignRecipients } from './store/campaigns/campaign-recipient.ts'
import { createCampaignStore } from './store/campaigns/campaign.ts'
import { createAccountTokenStore } from './store/accounts/account-token.ts'
import { createAttemptStore } from './store/limits/attempt.ts'
import { createConfigChanges } from './store/mailboxes/config-change.ts'
import { createConfigUsage } from './store/quota/config-usage.ts'
import { createConfigStore } from './store/mailboxes/config.ts'
import type { DataFolder } from './postgres/data-folder-lock.ts'
import { createClockWatch } from './store/core/clock-watch.ts'
import { openDatabase, type Connection, type Database } from './store/core/database.ts'
import { dropOldDeliveries, ensureDeliveryPartitions } from './store/messages/delivery-partitions.ts'
import { createDeliveryQueue } from './store/messages/delivery-queue.ts'
import { createDeliveryStore } from './store/messages/delivery.ts'
import { createEmbedSessionStore } from './store/embeds/embed-session.ts'
import { createEmbedUsage } from './store/embeds/embed-usage.ts'
import { createEmbedStore } from './store/embeds/embed.ts'
import { startEmbeddedPostgres } from './postgres/start.ts'
import { createDraftStore } from './store/templates/draft.ts'
import { createHostedAttempts } from './store/limits/hosted-attempts.ts'
import type { HostedSignal } from './store/hosted/hosted-channel.ts'
import { createHostedChangeStore } from './store/hosted/hosted-change.ts'
import { createHostedDocumentStore } from './store/hosted/hosted-document.ts'
import { createHostedKeyStore } from './store/hosted/hosted-key.ts'
import { startHostedListener } from './store/hosted/hosted-listener.ts'
import { createHostedSeedStore } from './store/hosted/hosted-seed.ts'
import { createHostedUserStore } from './store/hosted/hosted-user.ts'
import { createIdentityStore } from './store/accounts/identity.ts'
import { createIdempotencyKeys } from './store/core/idempotency-key.ts'
import { createMailboxSlots } from './store/quota/mailbox-slots.ts'
import { createMailboxUse } from './store/quota/mailbox-use.ts'
import { createMailboxUsage } from './store/quota/mailbox-usage.ts'
import { createMessageList } from './store/messages/message-list.ts'
import { createMessageStore } from './store/messages/message.ts'
import { migrate } from './store/core/migrate.ts'
import { createPendingAccountStore } from './store/accounts/pending-account.ts'
import { createPasswords } from './store/accounts/passwords.ts'
import { createProfileStore } from './store/accounts/profile.ts'
import { readQueueDepth } from './store/statistics/queue-depth.ts'
import { createOAuthStates } from './store/mailboxes/oauth-state.ts'
import { createSandboxMessageStore } from './store/sandbox/sandbox-message.ts'
import { createStatisticsStore } from './store/statistics/statistics.ts'
import { createSuppressionStore } from './store/suppressions/suppression.ts'
import { createSessionStore } from './store/accounts/session.ts'
import { createTemplateStore } from './store/templates/template.ts'
import { openVault } from './store/vault/vault-keys.ts'
import { createWorkspaceStore } from './store/accounts/workspace.ts'
import { closedAccountKeptDays, sessionIdleDays } from '../contract/core/limits.ts'
import { StartError, type Settings } from './settings.ts'
import type { Logger } from 'pino'

export type Stores = Awaited<ReturnType<typeof openStores>>

/**
 * Reaches PostgreSQL (starting or adopting the embedded one), brings the schema up to date and opens the vault.
 * Throws errors whose message is one sentence for the operator.
 */
export async function openStores(
  settings: Settings,
  folder: DataFolder,
  log: Logger,
  now: () => Date,
  newId: () => string,
  tickMs: () => number,
) {
  await using undo = new AsyncDisposableStack()
  let connection: Connection
  if (settings.databaseUrl === null) {
    const postgres = await startEmbeddedPostgres({ folder, log, keepsRunning: true })
    undo.defer(() => postgres.stop())
    connection = postgres.connection
  } else connection = { url: settings.databaseUrl }
  const { databaseUrl, databaseDirectUrl } = settings
  const direct = databaseUrl === null || databaseDirectUrl === null ? connection : { url: databaseDirectUrl }

  const database = openDatabase(connection, (error) => log.warn({ err: error }, 'A connection to the database broke'))
  undo.defer(() => database.close())
  await reach(database, 'DATABASE_URL')
  await prepare(settings, database)
  const vault = await openVault(database.pool, settings.secretKeyFile)

  const messages = createMessageStore(database, vault)
  const slots = createMailboxSlots(database.pool)
  const usage = createMailboxUsage(database.pool)
  const clock = createClockWatch(database.pool, tickMs)
  const campaignClock = createCampaignClock(database.pool)
  const profiles = createProfileStore(database, messages)
  const statistics = createStatisticsStore(database.pool)
  const { keepMonths } = settings
  const idempotencyKeys = createIdempotencyKeys(database.pool, vault)
  const embedSessions = createEmbedSessionStore(database)
  const pendingAccounts = createPendingAccountStore(database)
  const stores = {
    messages,
    acceptances: createAcceptanceStore(database),
    accounts: createAccountStore(database, messages),
    accountTokens: createAccountTokenStore(database, messages),
    attempts: createAttemptStore(database, vault),
    pendingAccounts,
    identities: createIdentityStore(database),
    sessions: createSessionStore(database, { idleDays: sessionIdleDays }),
    profiles,
    configs: createConfigStore(database, vault, now),
    configChanges: createConfigChanges(database, vault, now),
    configUsage: createConfigUsage(database.pool),
    messageList: createMessageList(database.pool),
    statistics,
    templates: createTemplateStore(database),
    drafts: createDraftStore(database),
    workspaces: createWorkspaceStore(database),
    campaigns: createCampaignStore(database, newId),
    campaignRecipients: createCampaignRecipients(database.pool),
    campaignClock,
    mailboxUse: createMailboxUse(database.pool),
    deliveries: createDeliveryStore(database.pool),
    embeds: createEmbedStore(database),
    embedSessions,
    embedUsage: createEmbedUsage(database),
    idempotencyKeys,
    queue: createDeliveryQueue(database.pool, clock),
    slots,
    usage,
    sandboxMessages: createSandboxMessageStore(database.pool),
    hosted: {
      documents: createHostedDocumentStore(database.pool),
      changes: createHostedChangeStore(database.pool),
      keys: createHostedKeyStore(database),
      users: createHostedUserStore(database),
      attempts: createHostedAttempts(database.pool),
      seeds: createHostedSeedStore(database.pool),
      /** The API key that our own pages carry. */
      pageKey: formatToken('hosted_read', vault.hostedPageKey.export()),
      /** Hears what other processes announce, null where something may have been missed. Gives its undo. */
      listen: (onSignal: (signal: HostedSignal | null) => void) =>
        startHostedListener({ connection: direct, log, onSignal }),
    },
    passwords: createPasswords(),
    oauthStates: createOAuthStates(vault),
    readQueueDepth: () => readQueueDepth(database.pool),
    /** What the sender does beside sending, so that tables stay small and months are there. */
    maintenanceTasks: [
      { intervalMs: hourMs, run: () => ensureDeliveryPartitions(database.pool) },
      ...(keepMonths === null ? [] : [{ intervalMs: hourMs, run: () => dropOldDeliveries(database.pool, keepMonths) }]),
      { intervalMs: secondMs, run: () => clock.look() },
      // What a jump has made old is not over.
      { intervalMs: minuteMs, run: async () => ((await clock.look()) ? usage.prune() : undefined) },
      { intervalMs: hourMs, run: () => slots.prune() },
      { intervalMs: 5 * secondMs, run: () => statistics.gather() },
      { intervalMs: hourMs, run: async () => ((await clock.look()) ? statistics.prune() : undefined) },
      { intervalMs: secondMs, run: () => campaignClock.tick() },
      { intervalMs: minuteMs, run: () => campaignClock.prune() },
      { intervalMs: minuteMs, run: async () => ((await clock.look()) ? campaignClock.deleteUnconfirmed() : undefined) },
      { intervalMs: hourMs, run: () => profiles.deleteClosed(closedAccountKeptDays) },
      { intervalMs: hourMs, run: async () => ((await clock.look()) ? idempotencyKeys.prune() : undefined) },
      { intervalMs: hourMs, run: async () => ((await clock.look()) ? embedSessions.prune() : undefined) },
      { intervalMs: hourMs, run: async () => ((await clock.look()) ? pendingAccounts.prune() : undefined) },
    ],
    suppressions: createSuppressionStore(database),
    derive: vault.derive,
    linkKeys: vault.linkKeys,
    cookieKey: vault.cookieKey.export(),
    /** Whether a query is answered. */
    isReachable: () =>
      database.pool.query('select 1').then(
        () => true,
        () => false, // Whoever asks wants to know just this.
      ),
  }
  const open = undo.move()
  return { ...stores, close: () => open.disposeAsync() }
}

const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; check its host and port, and that PostgreSQL runs',
  ENOTFOUND: 'its host is not known; check its spelling',
  EAI_AGAIN: 'its host cannot be looked up; check its spelling and the network',
  ETIMEDOUT: 'it does not answer; check its host, port and firewall',
  '28P01': 'the password is wrong',
  '28000': 'this user may not sign in',
  '3D000': 'there is no such database; create it first',
  '42501': 'this user may not do what is needed; make it the owner of the database',
}

const oldestVersion = 150_000
const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Brings the schema up to date, past a pooler where there is one: it would lose the lock that keeps others waiting. */
async function prepare({ databaseUrl, databaseDirectUrl }: Settings, database: Database): Promise<void> {
  if (databaseUrl === null || databaseDirectUrl === null) return bringUp(database)
  const direct = openDatabase({ url: databaseDirectUrl }, () => undefined) // Whoever uses it hears of it.
  try {
    await reach(direct, 'DATABASE_DIRECT_URL')
    await bringUp(direct)
  } finally {
    await direct.close()
  }
}

async function bringUp({ pool }: Database): Promise<void> {
  await migrate(pool)
  await ensureDeliveryPartitions(pool)
}

/** First contact: what is wrong with an address shows here. The sentence holds neither password nor address. */
async function reach({ pool }: Database, name: string): Promise<void> {
  let version: number
  try {
    const { rows } = await pool.query<{ version: string }>("select current_setting('server_version_num') as version")
    version = Number(rows[0]?.version)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      advice[code ?? ''] ?? (/timeout/i.test(message) ? advice['ETIMEDOUT'] : `it said ${code ?? 'nothing'}`)
    throw new StartError(`The database of ${name} cannot be used: ${reason ?? ''}.`, { cause: error })
  }
  if (version < oldestVersion) {
    throw new StartError(`The database of ${name} is older than PostgreSQL 15; use 15 or newer.`)
  }
}
