import { join } from 'node:path'
import { readBootId } from '../../mailer/queue/journal-reader.ts'
import { resolveMailbox, type SystemSmtp } from '../../mailer/queue/mailbox.ts'
import type { SmtpPermissions } from '../../mailer/smtp/providers.ts'
import { createBearerLogin } from '../../mailer/queue/bearer-login.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import { createSender, type Sender } from '../../mailer/queue/sender.ts'
import { messageIdVariables } from '../../domain/messages/message-id.ts'
import * as nouns from '../nouns.ts'
import type { Noun, Parts } from './parts.ts'
import { quotaStores } from '../quota.ts'
import { mailboxStores } from '../stores/mailboxes.ts'
import { messageStores } from '../stores/messages.ts'
import { suppressionStore } from '../suppressions.ts'
import { trackingStore, workspaceNumbers } from '../tracking.ts'
import { createMailTracking } from '../../tracking/mail-tracking.ts'
import { authorize, authorizeAll } from '../../domain/auth/authorize.ts'
import { bindScope, type Scope } from '../../domain/auth/scope.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface SenderParts {
  dataDir: string
  /** Base URL of links in mails; null if this process does not know it. */
  publicUrl: string | null
  permissions: SmtpPermissions
  /** Null if account mails go to the sandbox. */
  systemSmtp: SystemSmtp | null
  /** Renews the access tokens of mailboxes connected at their provider. */
  oauth: OAuthClient
  onOutcomesWritten: (messageIds: readonly string[]) => void
  /** From 0 up to 1. */
  random: () => number
}

const task = { kind: 'system', task: 'sender' } as const
const system = authorizeAll(task)
const maintenance = authorizeAll({ kind: 'system', task: 'maintenance' })
const scopeOf = ({ workspaceId }: { workspaceId: string }) => authorize(task, 'messages:send', workspaceId)

/** The functions on mailboxes of any workspace that the sender uses. */
export function senderMailboxes(store: Pick<MailboxStore, 'pause' | 'renewTokens'>) {
  return {
    pause: (mailbox: MailboxKey, ...rest: Rest<MailboxStore['pause']>) =>
      store.pause(scopeOf(mailbox), mailbox.mailboxId, ...rest),
    renewTokens: (mailbox: MailboxKey, ...rest: Rest<MailboxStore['renewTokens']>) =>
      store.renewTokens(scopeOf(mailbox), mailbox.mailboxId, ...rest),
  }
}

type Rest<T> = T extends (scope: Scope, mailboxId: string, ...rest: infer R) => unknown ? R : never

/** The sender of a process: the same in a server and in a worker. */
export function composeSender(
  parts: Parts,
  { dataDir, publicUrl, permissions, systemSmtp, oauth, ...rest }: SenderParts,
): Sender {
  const { log, newId, now, tickMs, vault, resolve } = parts
  const store = resolve(mailboxStores).mailboxes
  const mailboxes = senderMailboxes(store)
  const { messages, queue } = resolve(messageStores)
  const suppressions = resolve(suppressionStore)
  const numbers = resolve(workspaceNumbers)
  const tracking = resolve(trackingStore)
  const mailTracking = createMailTracking({ mailKey: (id) => vault.mailKey(id), publicUrl })
  const bearerLogin = createBearerLogin({ oauth, mailboxes, nowMs: () => now().getTime() })
  return createSender({
    ...rest,
    log,
    newId,
    tickMs,
    queue,
    slots: bindScope(resolve(quotaStores).slots, system),
    mailboxes: {
      async open(mailbox) {
        const secrets = await store.openSecrets(scopeOf(mailbox), mailbox.mailboxId)
        if (!secrets?.tokens) return secrets && resolveMailbox(secrets, permissions, systemSmtp)
        const login = await bearerLogin(secrets, secrets.tokens)
        // A mailbox without one is paused by now: there is nothing to open.
        return login && { ...resolveMailbox(secrets, permissions, systemSmtp), login }
      },
      pause: mailboxes.pause,
    },
    messages: {
      async findContents(workspaceId, ids) {
        const scope = scopeOf({ workspaceId })
        const [contents, links, workspaceNo] = await Promise.all([
          messages.findContents(scope, ids),
          tracking.findLinks(scope, ids),
          numbers.numberOf(scope),
        ])
        return contents.map((content) => {
          const found = links.get(content.id)
          return 'isUnopened' in content || !found ? content : { ...content, links: { ...found, workspaceNo } }
        })
      },
    },
    suppressions: {
      find: (mailbox, addresses) => suppressions.find(scopeOf(mailbox), mailbox.mailboxId, addresses),
      listChanged: (mailboxes) => suppressions.listChanged(system, mailboxes),
      add: (dead) => suppressions.addDead(system, dead),
    },
    variables: { ...mailTracking.variables, ...messageIdVariables(vault.linkKeys[0]) },
    tracking: {
      track: (message) => mailTracking.track(message),
      saveLinks: ({ id, workspaceId }, links) => tracking.saveLinks(scopeOf({ workspaceId }), id, links),
      findRestricted: (mailbox, addresses) => tracking.findRestricted(scopeOf(mailbox), addresses),
    },
    maintenanceTasks: Object.values<Noun>(nouns).flatMap((noun) => noun.maintenance?.(parts, maintenance) ?? []),
    journal: { folder: join(dataDir, 'journal'), bootId: readBootId() },
    clock: now,
  })
}
