import { signInProviders } from '../../contract/mail/config.ts'
import type { Scope } from '../domain/auth/scope.ts'
import { formatToken } from '../domain/auth/token.ts'
import type { PageQuery } from '../domain/core/page.ts'
import { addMailboxRoutes } from '../http/mailboxes/mailbox.ts'
import { discoverServer } from '../mailer/discovery/discover-server.ts'
import { limitsOf } from '../mailer/smtp/providers.ts'
import { verifyMailbox } from '../mailer/smtp/verify-mailbox.ts'
import { createUseEmbedMailboxes } from '../usecases/embeds/use-embed-mailboxes.ts'
import { createConnectMailbox } from '../usecases/mailboxes/connect-mailbox.ts'
import { createMailboxService } from '../usecases/mailboxes/update-mailbox.ts'
import { createDeleteMailbox } from '../usecases/mailboxes/delete-mailbox.ts'
import { createDiscoverMailServer } from '../usecases/mailboxes/discover-mail-server.ts'
import { createFinishMailboxSignIn } from '../usecases/mailboxes/finish-mailbox-sign-in.ts'
import { createStartMailboxSignIn } from '../usecases/mailboxes/start-mailbox-sign-in.ts'
import { createListMailboxUsage } from '../usecases/quota/list-mailbox-usage.ts'
import { readingService, type ReadingService } from './inbox.ts'
import { attemptStores } from './limits.ts'
import { tokenOf, type Noun, type ServerParts } from './core/parts.ts'
import { quotaStores } from './quota.ts'
import { embedStores } from './stores/embeds.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'

function useCases(parts: ServerParts) {
  const { isSandboxOn, newId, noteSecurityEvent, now, oauth, resolve, smtpPermissions, vault, wakeSender } = parts
  const { mailboxes, mailboxChanges, oauthStates: states } = resolve(mailboxStores)
  const { attempts } = resolve(attemptStores)
  const { embeds, embedSessions, embedUsage, noteEmbedAct } = resolve(embedStores)
  const newSecretKey = tokenOf(parts, 'secret_key')
  const discover = (emailAddress: string) => discoverServer(emailAddress, smtpPermissions)
  const connectMailbox = createConnectMailbox({
    verifyMailbox: (login) => verifyMailbox(login, smtpPermissions),
    discoverServer: discover,
    attempts,
    mailboxes,
    isSandboxOn,
    newId,
    newSecretKey,
  })
  return {
    ...createUseEmbedMailboxes({ mailboxes, embeds, embedSessions, embedUsage, connectMailbox }),
    noteEmbedAct,
    connectMailbox,
    startMailboxSignIn: createStartMailboxSignIn({ oauth, states, now }),
    finishMailboxSignIn: createFinishMailboxSignIn({
      oauth,
      states,
      verifyTokens: ({ accessToken, ...mailbox }) =>
        verifyMailbox({ ...mailbox, server: null, appPassword: accessToken, isToken: true }, smtpPermissions),
      mailboxes,
      readAfterConsent: (...given) => resolve(readingService).readAfterConsent(...given),
      now,
      newId,
      newSecretKey,
    }),
    listMailboxes: (scope: Scope, page: PageQuery) => mailboxes.list(scope, page),
    listSignIns: () => signInProviders.filter((provider) => oauth.isOffered(provider)),
    discoverMailServer: createDiscoverMailServer({ discoverServer: discover, attempts }),
    listMailboxUsage: createListMailboxUsage({ mailboxQuota: resolve(quotaStores).mailboxQuota, limitsOf }),
    ...createMailboxService({
      noteSecurityEvent,
      mailboxChanges,
      wakeSender,
      newSecretKey,
      secretKeyOf: (resourceId) => formatToken('secret_key', vault.derive(`secret key ${resourceId}`)),
    }),
    changeReading: (...given: Parameters<ReadingService['changeReading']>) =>
      resolve(readingService).changeReading(...given),
    deleteMailbox: createDeleteMailbox({ mailboxes, deliveries: resolve(messageStores).deliveries }),
  }
}

export const mailboxes: Noun = { addRoutes: (add, parts) => addMailboxRoutes(add, useCases(parts)) }
