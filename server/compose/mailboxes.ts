import { signInProviders } from '../../contract/mail/config.ts'
import { formatToken } from '../domain/auth/token.ts'
import { addConfigRoutes } from '../http/mailboxes/config.ts'
import { discoverServer } from '../mailer/discovery/discover-server.ts'
import { limitsOf } from '../mailer/smtp/providers.ts'
import { verifyMailbox } from '../mailer/smtp/verify-mailbox.ts'
import { createUseEmbedMailboxes } from '../usecases/embeds/use-embed-mailboxes.ts'
import { createLimitAttempts } from '../usecases/limits/limit-attempts.ts'
import { createAddConfig } from '../usecases/mailboxes/add-config.ts'
import { createChangeConfig } from '../usecases/mailboxes/change-config.ts'
import { createDeleteConfig } from '../usecases/mailboxes/delete-config.ts'
import { createDiscoverMailServer } from '../usecases/mailboxes/discover-mail-server.ts'
import { createFinishMailboxSignIn } from '../usecases/mailboxes/finish-mailbox-sign-in.ts'
import { createListConfigs } from '../usecases/mailboxes/list-configs.ts'
import { createStartMailboxSignIn } from '../usecases/mailboxes/start-mailbox-sign-in.ts'
import { createListConfigUsage } from '../usecases/quota/list-config-usage.ts'
import { attemptStores } from './limits.ts'
import { tokenOf, type Noun, type ServerParts } from './parts.ts'
import { quotaStores } from './quota.ts'
import { embedStores } from './stores/embeds.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'

function useCases(parts: ServerParts) {
  const { isSandboxOn, newId, noteSecurityEvent, now, oauth, resolve, smtpPermissions, vault, wakeSender } = parts
  const { configs, configChanges, oauthStates: states } = resolve(mailboxStores)
  const { attempts, hostedAttempts } = resolve(attemptStores)
  const { embeds, embedSessions, embedUsage, noteEmbedAct } = resolve(embedStores)
  const newSecretKey = tokenOf(parts, 'secret_key')
  const discover = (emailAddress: string) => discoverServer(emailAddress, smtpPermissions)
  const addConfig = createAddConfig({
    verifyMailbox: (login) => verifyMailbox(login, smtpPermissions),
    discoverServer: discover,
    attempts,
    configs,
    isSandboxOn,
    newId,
    newSecretKey,
  })
  return {
    ...createUseEmbedMailboxes({ configs, embeds, embedSessions, embedUsage, addConfig }),
    noteEmbedAct,
    addConfig,
    startMailboxSignIn: createStartMailboxSignIn({ oauth, states, now }),
    finishMailboxSignIn: createFinishMailboxSignIn({
      oauth,
      states,
      verifyTokens: ({ accessToken, ...mailbox }) =>
        verifyMailbox({ ...mailbox, server: null, appPassword: accessToken, isToken: true }, smtpPermissions),
      configs,
      now,
      newId,
      newSecretKey,
    }),
    listConfigs: createListConfigs({ configs }),
    listSignIns: () => signInProviders.filter((provider) => oauth.isOffered(provider)),
    discoverMailServer: createDiscoverMailServer({
      discoverServer: discover,
      limitAttempts: createLimitAttempts({ attempts: hostedAttempts }),
    }),
    listConfigUsage: createListConfigUsage({ configUsage: resolve(quotaStores).configUsage, limitsOf }),
    ...createChangeConfig({
      noteSecurityEvent,
      configChanges,
      wakeSender,
      newSecretKey,
      secretKeyOf: (makes) => formatToken('secret_key', vault.derive(`secret key ${makes}`)),
    }),
    deleteConfig: createDeleteConfig({ configs, deliveries: resolve(messageStores).deliveries }),
  }
}

export const mailboxes: Noun = { addRoutes: (add, parts) => addConfigRoutes(add, useCases(parts)) }
