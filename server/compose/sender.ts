import { join } from 'node:path'
import { readBootId } from '../mailer/queue/journal-reader.ts'
import { resolveMailbox, type SystemSmtp } from '../mailer/queue/mailbox.ts'
import type { SmtpPermissions } from '../mailer/smtp/providers.ts'
import { createBearerLogin } from '../mailer/queue/bearer-login.ts'
import type { OAuthClient } from '../oidc/oauth-client.ts'
import { createSender, type Sender } from '../mailer/queue/sender.ts'
import { linkVariables } from '../domain/suppressions/unsubscribe-link.ts'
import * as nouns from './nouns.ts'
import type { Noun, Parts } from './parts.ts'
import { quotaStores } from './quota.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'
import { suppressionStore } from './suppressions.ts'
import { authorize } from '../domain/auth/authorize.ts'

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

const scopeOf = (workspaceId: string) => authorize({ kind: 'system', task: 'sender' }, 'messages:send', workspaceId)

/** The sender of a process: the same in a server and in a worker. */
export function composeSender(
  parts: Parts,
  { dataDir, publicUrl, permissions, systemSmtp, oauth, ...rest }: SenderParts,
): Sender {
  const { log, newId, now, tickMs, vault, resolve } = parts
  const { mailboxes } = resolve(mailboxStores)
  const { messages, queue } = resolve(messageStores)
  const suppressions = resolve(suppressionStore)
  const bearerLogin = createBearerLogin({ oauth, mailboxes, nowMs: () => now().getTime() })
  return createSender({
    ...rest,
    log,
    newId,
    tickMs,
    queue,
    slots: resolve(quotaStores).slots,
    mailboxes: {
      async open(mailboxId) {
        const secrets = await mailboxes.openSecrets(mailboxId)
        if (!secrets?.tokens) return secrets && resolveMailbox(secrets, permissions, systemSmtp)
        const login = await bearerLogin(secrets, secrets.tokens)
        // A mailbox without one is paused by now: there is nothing to open.
        return login && { ...resolveMailbox(secrets, permissions, systemSmtp), login }
      },
      pause: (...given) => mailboxes.pause(...given),
    },
    messages: { findContents: (workspaceId, ids) => messages.findContents(scopeOf(workspaceId), ids) },
    suppressions: {
      find: (mailboxId, addresses) => suppressions.find(mailboxId, addresses),
      listChanged: (mailboxIds) => suppressions.listChanged(mailboxIds),
      add: (dead) => suppressions.addDead(dead),
    },
    variables: linkVariables(vault.linkKeys[0], publicUrl),
    maintenanceTasks: Object.values<Noun>(nouns).flatMap(({ maintenance }) => maintenance?.(parts) ?? []),
    journal: { folder: join(dataDir, 'journal'), bootId: readBootId() },
    clock: now,
  })
}
