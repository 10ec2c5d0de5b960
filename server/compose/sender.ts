import { join } from 'node:path'
import type { Logger } from 'pino'
import { readBootId } from '../mailer/queue/journal-reader.ts'
import { resolveMailbox, type SystemSmtp } from '../mailer/queue/mailbox.ts'
import type { SmtpPermissions } from '../mailer/smtp/providers.ts'
import { createBearerLogin } from '../mailer/queue/bearer-login.ts'
import type { OAuthClient } from '../oidc/oauth-client.ts'
import { createSender, type Sender } from '../mailer/queue/sender.ts'
import { linkVariables } from '../domain/suppressions/unsubscribe-link.ts'
import type { Stores } from '../stores.ts'

interface Parts {
  stores: Stores
  dataDir: string
  /** Where links lead; null where this process does not know. */
  publicUrl: string | null
  permissions: SmtpPermissions
  /** Null where the sandbox takes account mails. */
  systemSmtp: SystemSmtp | null
  /** Renews the access tokens of mailboxes that were connected at their provider. */
  oauth: OAuthClient
  onOutcomesWritten: (messageIds: readonly string[]) => void
  log: Logger
  now: () => Date
  tickMs: () => number
  random: () => number
  newId: () => string
}

/** The sender of a process, on its stores: the same in a server and in a worker. */
export function composeSender({
  stores,
  dataDir,
  publicUrl,
  permissions,
  systemSmtp,
  oauth,
  now,
  ...parts
}: Parts): Sender {
  const bearerLogin = createBearerLogin({ oauth, configs: stores.configs, nowMs: () => now().getTime() })
  return createSender({
    ...parts,
    queue: stores.queue,
    slots: stores.slots,
    mailboxes: {
      async open(mailboxId) {
        const secrets = await stores.configs.openSecrets(mailboxId)
        if (!secrets?.tokens) return secrets && resolveMailbox(secrets, permissions, systemSmtp)
        const login = await bearerLogin(secrets, secrets.tokens)
        // Without one it is paused by now: nothing to open.
        return login && { ...resolveMailbox(secrets, permissions, systemSmtp), login }
      },
      pause: (...given) => stores.configs.pause(...given),
    },
    messages: stores.messages,
    suppressions: {
      find: (mailboxId, addresses) => stores.suppressions.find(mailboxId, addresses),
      listChanged: (mailboxIds) => stores.suppressions.listChanged(mailboxIds),
      add: (dead) => stores.suppressions.addDead(dead),
    },
    variables: linkVariables(stores.linkKeys[0], publicUrl),
    maintenanceTasks: stores.maintenanceTasks,
    journal: { folder: join(dataDir, 'journal'), bootId: readBootId() },
    clock: now,
  })
}
