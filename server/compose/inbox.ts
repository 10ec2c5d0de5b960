import { isOwnMessageId } from '../domain/messages/message-id.ts'
import type { Scope } from '../domain/auth/scope.ts'
import { authorize, authorizeAll } from '../domain/auth/authorize.ts'
import type { FolderPosition, ReadingMailbox } from '../domain/inbox/reading.ts'
import type { MailboxSecrets } from '../domain/mailboxes/mailbox.ts'
import { bounceOfReply } from '../domain/events/smtp-bounce.ts'
import { addBounceRoutes } from '../http/inbox/bounce.ts'
import { addReadingRoutes } from '../http/inbox/reading.ts'
import { addReplyRoutes } from '../http/inbox/reply.ts'
import { ImapError, openImap } from '../inbox/connection.ts'
import { imapEndpointOf, type ImapPermissions } from '../inbox/providers.ts'
import { readBack } from '../inbox/read-back.ts'
import { createInboxReader, LeaseLostError, type InboxReader } from '../inbox/reader.ts'
import type { OAuthClient } from '../oidc/oauth-client.ts'
import { createBounceList } from '../store/inbox/bounces.ts'
import { createDeliveryFinder } from '../store/inbox/find-delivery.ts'
import { createInboxMailStore } from '../store/inbox/inbox-mail.ts'
import { createInboxRetentionStore } from '../store/inbox/inbox-retention.ts'
import { createReaderLeases } from '../store/inbox/reader-lease.ts'
import { createReadingBatchStore } from '../store/inbox/reading-batch.ts'
import { createReadingSwitch, type ReadingRow } from '../store/inbox/reading-switch.ts'
import { createBounceService } from '../usecases/inbox/bounce-service.ts'
import { createOpenReading } from '../usecases/inbox/open-reading.ts'
import { createReadingService, refusedSentence } from '../usecases/inbox/reading-service.ts'
import { createReplyService } from '../usecases/inbox/reply-service.ts'
import { campaignUseCases } from './campaigns.ts'
import type { Noun, Parts, ServerParts } from './core/parts.ts'
import { liveStreams } from './live.ts'
import { getMessageContent } from './messages.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'
import { suppressionStore } from './suppressions.ts'

const task = { kind: 'system', task: 'inbox' } as const
const system = authorizeAll(task)
const scopeOf = ({ workspaceId }: { workspaceId: string }) => authorize(task, 'messages:read', workspaceId)

const readings = ({ database }: Parts) => createReadingSwitch(database)

interface InboxParts {
  oauth: OAuthClient
  imapPermissions: ImapPermissions
}

const openReading = (parts: Parts, { oauth, imapPermissions }: InboxParts) =>
  createOpenReading({
    readings: parts.resolve(readings),
    mailboxes: parts.resolve(mailboxStores).mailboxes,
    oauth,
    endpointOf: (secrets, row) => imapEndpointOf(addressing(secrets, row), imapPermissions),
    now: parts.now,
  })

function addressing({ provider, emailAddress }: MailboxSecrets, row: ReadingRow) {
  const { imapHost: host, imapPort: port, imapSecurity: security, smtpHost } = row
  const imap = host === null ? null : { host, port: port ?? 993, security: security ?? ('tls' as const) }
  return { provider, emailAddress, imap, smtpHost }
}

/** The reader of a process: the same in a server and in a worker. */
export function composeInboxReader(
  parts: Parts,
  { random, isSandboxElsewhere = false, ...inbox }: InboxParts & { random: () => number; isSandboxElsewhere?: boolean },
): InboxReader {
  const { database, log, newId, now, vault } = parts
  const leases = createReaderLeases(database)
  const batches = createReadingBatchStore(database)
  const finder = createDeliveryFinder(database)
  const open = openReading(parts, inbox)
  return createInboxReader({
    leases: {
      claim: (owner, limit) => leases.claim(system, owner, limit, isSandboxElsewhere),
      renew: (owner) => leases.renew(system, owner),
      listHeld: (owner) => leases.listHeld(system, owner),
      release: (lease, ...rest) => leases.release(scopeOf(lease), lease, ...rest),
      releaseAll: (owner) => leases.releaseAll(system, owner),
    },
    open: (lease) => open(scopeOf(lease), lease.mailboxId),
    find: (lease) => {
      const scope = scopeOf(lease)
      return {
        byId: ({ messageId, deliveryId }) => finder.byId(scope, messageId, deliveryId),
        isProved: (id) => isOwnMessageId(vault.linkKeys, id),
        byProviderId: (hashes) => finder.byProviderId(scope, hashes),
        byAddress: (address, before) => finder.byAddress(scope, lease.mailboxId, address, before),
        bySubject: (address, subject, before) => finder.bySubject(scope, address, subject, before),
      }
    },
    listOwnAddresses: (lease) => parts.resolve(readings).ownAddresses(scopeOf(lease)),
    listPositions: (lease) => leases.listPositions(scopeOf(lease), lease.mailboxId),
    keepFolders: (lease, folders) => leases.keepFolders(scopeOf(lease), lease.mailboxId, folders),
    async commit(lease, batch) {
      if (!(await batches.commit(scopeOf(lease), lease, batch))) throw new LeaseLostError()
    },
    setState: (lease, state, error, wholeMs) =>
      leases.setState(scopeOf(lease), lease, { state, error: state === 'refused' ? refusedSentence : error, wholeMs }),
    now,
    newId,
    random,
    log,
  })
}

/** Signs in, and returns the positions of now in the folders that are read. */
export async function tryReading(mailbox: ReadingMailbox, isGuess: boolean) {
  try {
    const connection = await openImap(mailbox.endpoint, mailbox.login)
    try {
      const positions: FolderPosition[] = []
      for (const one of await connection.listFolders()) {
        const opened = await connection.examine(one.folder)
        if (opened !== null) {
          positions.push({ ...one, uidValidity: opened.uidValidity, lastUid: opened.uidNext - 1 })
        }
      }
      return { positions }
    } finally {
      await connection.close()
    }
  } catch (error) {
    if (!(error instanceof ImapError)) throw error
    return { problem: error.problem === 'refused' ? ('refused' as const) : ('unreachable' as const), isGuess }
  }
}

/** Reads a test's own mail back. */
export function selfTestPorts(parts: ServerParts) {
  const store = parts.resolve(readings)
  return {
    isReading: async (scope: Scope, mailboxId: string) => (await store.find(scope, mailboxId))?.isReading === true,
    open: openReading(parts, parts),
    readBack,
  }
}

export type ReadingService = ReturnType<typeof readingService>

/** Turning reading on and off. */
export function readingService(parts: ServerParts) {
  const { mailboxes, oauthStates: states } = parts.resolve(mailboxStores)
  const store = parts.resolve(readings)
  return createReadingService({
    readings: store,
    mailboxes,
    open: openReading(parts, parts),
    async tryReading(mailbox) {
      const row = await store.find(scopeOf(mailbox), mailbox.mailboxId)
      return tryReading(mailbox, row?.smtpHost !== null && row?.imapHost === null)
    },
    oauth: parts.oauth,
    states,
    now: parts.now,
  })
}

const hourMs = 3_600_000

export const inbox: Noun = {
  maintenance({ database }, scope) {
    const retention = createInboxRetentionStore(database)
    return [
      {
        intervalMs: hourMs,
        async run() {
          while (await retention.deleteMails(scope)) continue
          await retention.deleteRest(scope)
        },
      },
    ]
  },
  addRoutes(add, parts) {
    const { database, newId, now, resolve, wakeSender } = parts
    addReadingRoutes(add, resolve(readingService))
    addBounceRoutes(
      add,
      createBounceService({
        bounces: createBounceList(database),
        messages: resolve(messageStores).messages,
        findCampaign: (scope, id) => resolve(campaignUseCases).findCampaign(scope, id),
        readReply: bounceOfReply,
      }),
    )
    addReplyRoutes(
      add,
      createReplyService({
        inboxMails: createInboxMailStore(database),
        mailboxes: resolve(mailboxStores).mailboxes,
        messages: resolve(messageStores).messages,
        getMessageContent: resolve(getMessageContent),
        suppressions: resolve(suppressionStore),
        live: resolve(liveStreams),
        wakeSender,
        newId,
        now,
      }),
    )
  },
}
