import type { Logger } from 'pino'
import { createBacklog } from './usecases/messages/backlog.ts'
import type { Acceptance } from './domain/accounts/account.ts'
import type { SystemMailbox } from './domain/accounts/account-mail.ts'
import type { Seed } from './domain/auth/hosted.ts'
import type { ProofOfWork } from './domain/limits/proof-of-work.ts'
import type { NoteSecurityEvent } from './domain/core/security-event.ts'
import type { Caller } from './domain/auth/caller.ts'
import { formatToken, type TokenKind } from './domain/auth/token.ts'
import type { Discovery } from './mailer/discovery/discover-server.ts'
import type { OAuthClient } from './oidc/oauth-client.ts'
import { signInProviders, type SignInProvider } from '../contract/mail/config.ts'
import { readLink } from './domain/suppressions/unsubscribe-link.ts'
import { limitsOf } from './mailer/smtp/providers.ts'
import type { Google } from './oidc/openid.ts'
import type { FirstResultWatch } from './mailer/queue/first-result.ts'
import type { Stores } from './stores.ts'
import { createAddConfig, type MailboxLogin, type MailboxVerdict } from './usecases/mailboxes/add-config.ts'
import { createAuthenticate } from './usecases/auth/authenticate.ts'
import { createAuthenticateHosted } from './usecases/auth/authenticate-hosted.ts'
import { createAuthenticateEmbed } from './usecases/auth/authenticate-embed.ts'
import { createEmbedConsent } from './usecases/embeds/embed-consent.ts'
import { createKeepEmbeds } from './usecases/embeds/keep-embeds.ts'
import { createOpenEmbedSession } from './usecases/embeds/open-embed-session.ts'
import { createUseEmbed } from './usecases/embeds/use-embed.ts'
import { createConfirmEmail } from './usecases/accounts/confirm-email.ts'
import { createFinishMailboxSignIn } from './usecases/mailboxes/finish-mailbox-sign-in.ts'
import { createStartMailboxSignIn } from './usecases/mailboxes/start-mailbox-sign-in.ts'
import { createRefuseLargeCampaign } from './usecases/campaigns/campaign-size.ts'
import { createFillCampaign } from './usecases/campaigns/fill-campaign.ts'
import { createForetell } from './usecases/quota/foretell.ts'
import { createKeepCampaigns } from './usecases/campaigns/keep-campaigns.ts'
import { createRunCampaign } from './usecases/campaigns/run-campaign.ts'
import { createUnsubscribe } from './usecases/suppressions/unsubscribe.ts'
import { createWatchCampaign } from './usecases/campaigns/watch-campaign.ts'
import { createWatchMessage } from './usecases/messages/watch-message.ts'
import { createCreateCampaign, createUpdateCampaign } from './usecases/campaigns/write-campaign.ts'
import { createCreateDocument } from './usecases/hosted/create-document.ts'
import { createChangeConfig } from './usecases/mailboxes/change-config.ts'
import { createDeleteConfig } from './usecases/mailboxes/delete-config.ts'
import { createDeleteDocument } from './usecases/hosted/delete-document.ts'
import { createDiscoverMailServer } from './usecases/mailboxes/discover-mail-server.ts'
import { createGetDocument } from './usecases/hosted/get-document.ts'
import { createDoOnce } from './usecases/core/do-once.ts'
import { createGetMessage } from './usecases/messages/get-message.ts'
import { createGetStatistics } from './usecases/statistics/get-statistics.ts'
import { createIssueConfirmation } from './usecases/accounts/issue-confirmation.ts'
import { createExchangeSignInCode } from './usecases/accounts/exchange-sign-in-code.ts'
import { createFinishGoogleSignIn } from './usecases/accounts/finish-google-sign-in.ts'
import { createKeepProfile } from './usecases/accounts/keep-profile.ts'
import { createKeepTemplates } from './usecases/templates/keep-templates.ts'
import { createKeepDrafts } from './usecases/templates/keep-drafts.ts'
import { createKeepSuppressions } from './usecases/suppressions/keep-suppressions.ts'
import { createKeepWorkspace } from './usecases/accounts/keep-workspace.ts'
import { createLimitAttempts } from './usecases/limits/limit-attempts.ts'
import { createListConfigUsage } from './usecases/quota/list-config-usage.ts'
import { createListConfigs } from './usecases/mailboxes/list-configs.ts'
import { createListDocuments } from './usecases/hosted/list-documents.ts'
import { createOpenSession } from './usecases/accounts/open-session.ts'
import { createPendingAccounts } from './usecases/accounts/pending-account.ts'
import { createPlantLibrary } from './usecases/hosted/plant-library.ts'
import { createPrepareDemo } from './usecases/sandbox/prepare-demo.ts'
import { createRequestPasswordReset } from './usecases/accounts/request-password-reset.ts'
import { createResendConfirmation } from './usecases/accounts/resend-confirmation.ts'
import { createRetryMessage } from './usecases/messages/retry-message.ts'
import { createResendUnknown } from './usecases/messages/resend-unknown.ts'
import { createSendMail } from './usecases/messages/send-mail.ts'
import { createListSessions, createRevokeOtherSessions, createRevokeSession } from './usecases/accounts/sessions.ts'
import { createSignIn } from './usecases/accounts/sign-in.ts'
import { createSignInHosted } from './usecases/hosted/sign-in-hosted.ts'
import { createSignUp } from './usecases/accounts/sign-up.ts'
import { createSignUpHosted } from './usecases/hosted/sign-up-hosted.ts'
import { createUpdateDocument } from './usecases/hosted/update-document.ts'
import { createUpdateHostedUser } from './usecases/hosted/update-hosted-user.ts'
import { createUpdatePassword } from './usecases/accounts/update-password.ts'
import { createCreateTemplate, createUpdateTemplate } from './usecases/templates/write-template.ts'

interface Parts {
  stores: Stores
  verdicts: Pick<FirstResultWatch, 'waitForFirstResult'>
  wakeSender: (mailboxId?: string) => void
  verifyMailbox: (login: MailboxLogin) => Promise<MailboxVerdict>
  discoverServer: (emailAddress: string) => Promise<Discovery>
  verifyTokens: (mailbox: {
    emailAddress: string
    provider: SignInProvider
    accessToken: string
  }) => Promise<MailboxVerdict>
  oauth: OAuthClient
  google: Google
  isSandboxOn: boolean
  systemMailbox: SystemMailbox
  publicUrl: string
  /** Whether another deployment answers the hosted calls, and so knows the hosted users. */
  isHostedElsewhere: boolean
  readLibrary: () => Promise<Seed[] | null>
  log: Pick<Logger, 'info' | 'error'>
  noteSecurityEvent: NoteSecurityEvent
  proofOfWork: ProofOfWork
  now: () => Date
  tickMs: () => number
  newId: () => string
  newToken: (kind: TokenKind) => string
  rest: (ms: number) => Promise<unknown>
}

export type UseCases = ReturnType<typeof createUseCases>

/** Hands every use-case its ports. */
export function createUseCases(parts: Parts) {
  const { stores, verdicts, wakeSender, google, systemMailbox, publicUrl, now, tickMs, newId } = parts
  const { noteSecurityEvent, proofOfWork } = parts
  const {
    accounts,
    accountTokens,
    attempts,
    campaigns,
    configs,
    deliveries,
    identities,
    messages,
    passwords,
    sessions,
    suppressions,
    templates,
    workspaces,
  } = stores
  const backlog = createBacklog({ deliveries, tickMs })
  const tokenOf = (kind: TokenKind) => () => parts.newToken(kind)
  const newSecretKey = tokenOf('secret_key')
  const wakeSystem = () => wakeSender(systemMailbox.mailboxId)

  const issueConfirmation = createIssueConfirmation({
    systemMailbox,
    publicUrl,
    newId,
    newToken: tokenOf('confirmation'),
    now,
  })
  const openSession = createOpenSession({ sessions, newId, newToken: tokenOf('access'), now })
  const authenticate = createAuthenticate({ sessions, configs })
  const foretell = createForetell({ mailboxUse: stores.mailboxUse, limitsOf, now, tickMs })
  const recipients = stores.campaignRecipients
  const keepCampaigns = createKeepCampaigns({ campaigns, recipients, foretell })
  const { findCampaign, getCampaign } = keepCampaigns
  const refuseLargeCampaign = createRefuseLargeCampaign({ recipients, publicUrl })
  const writing = { campaigns, templates, configs, workspaces, findCampaign, refuseLargeCampaign, newId, publicUrl }
  const watching = createWatchCampaign({ getCampaign, tickMs })
  const addConfig = createAddConfig({
    verifyMailbox: parts.verifyMailbox,
    discoverServer: parts.discoverServer,
    attempts,
    configs,
    isSandboxOn: parts.isSandboxOn,
    newId,
    newSecretKey,
  })
  const sendMail = createSendMail({
    messages,
    templates,
    workspaces,
    foretell,
    backlog,
    verdicts,
    newId,
    publicUrl,
    wakeSender,
  })
  const getMessage = createGetMessage({ messages })
  const watchingMessages = createWatchMessage({ getMessage, tickMs })
  return {
    ...embedUseCases(parts, { addConfig, sendMail, wakeSender }),
    ...keepCampaigns,
    createCampaign: createCreateCampaign(writing),
    updateCampaign: createUpdateCampaign(writing),
    fillCampaign: createFillCampaign({ recipients, foretell, workspaces, findCampaign, now, publicUrl }),
    ...createRunCampaign({
      campaigns,
      recipients,
      clock: stores.campaignClock,
      messages,
      configs,
      workspaces,
      findCampaign,
      refuseLargeCampaign,
      newId,
      now,
      publicUrl,
      wakeSender,
    }),
    watchCampaign: watching.watchCampaign,
    /** Ends what streams for as long as somebody listens. */
    endStreams: () => {
      watching.close()
      watchingMessages.close()
    },
    ...createKeepDrafts({ drafts: stores.drafts }),
    ...createKeepWorkspace({ workspaces }),
    ...createKeepSuppressions({ suppressions, now }),
    ...createUnsubscribe({ suppressions, readLink: (token) => readLink(stores.linkKeys, token) }),
    ...hostedUseCases(parts),
    authenticate,
    findCaller: authenticate.find,
    findOwnMailbox: authenticate.ownMailbox,
    signUp: createSignUp({
      accounts,
      attempts,
      messages,
      passwords,
      issueConfirmation,
      systemMailbox,
      publicUrl,
      newId,
      now,
      wakeSender: wakeSystem,
    }),
    signIn: createSignIn({
      accounts,
      identities,
      attempts,
      passwords,
      proofOfWork,
      openSession,
      noteSecurityEvent,
    }),
    startGoogleSignIn: () => google.start(),
    finishGoogleSignIn: createFinishGoogleSignIn({
      google,
      accounts,
      identities,
      accountTokens,
      newId,
      newCode: tokenOf('sign_in_code'),
      newBrowserToken: tokenOf('browser'),
      now,
    }),
    exchangeSignInCode: createExchangeSignInCode({ accountTokens, openSession }),
    listSessions: createListSessions({ sessions }),
    revokeSession: createRevokeSession({ sessions, noteSecurityEvent }),
    revokeOtherSessions: createRevokeOtherSessions({ sessions, noteSecurityEvent }),
    signOut: async ({ userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>) => {
      await sessions.end({ userId, id: sessionId })
    },
    requestPasswordReset: createRequestPasswordReset({
      accounts,
      accountTokens,
      attempts,
      systemMailbox,
      publicUrl,
      newId,
      newToken: tokenOf('reset'),
      now,
      rest: parts.rest,
      wakeSender: wakeSystem,
    }),
    updatePassword: createUpdatePassword({
      noteSecurityEvent,
      accountTokens,
      attempts,
      passwords,
      systemMailbox,
      publicUrl,
      newId,
      wakeSender: wakeSystem,
    }),
    acceptDocument: (acceptance: Acceptance) => stores.acceptances.add(acceptance),
    ...createKeepProfile({
      noteSecurityEvent,
      accounts,
      profiles: stores.profiles,
      attempts,
      passwords,
      systemMailbox,
      publicUrl,
      newId,
      wakeSender: wakeSystem,
    }),
    confirmEmail: createConfirmEmail({ accounts }),
    ...createPendingAccounts({
      pendingAccounts: stores.pendingAccounts,
      newHandle: tokenOf('pending_account'),
      now,
    }),
    resendConfirmation: createResendConfirmation({ accounts, issueConfirmation, now, wakeSender: wakeSystem }),
    addConfig,
    startMailboxSignIn: createStartMailboxSignIn({ oauth: parts.oauth, states: stores.oauthStates, now }),
    finishMailboxSignIn: createFinishMailboxSignIn({
      oauth: parts.oauth,
      states: stores.oauthStates,
      verifyTokens: parts.verifyTokens,
      configs,
      now,
      newId,
      newSecretKey,
    }),
    listConfigs: createListConfigs({ configs }),
    listSignIns: () => signInProviders.filter((provider) => parts.oauth.isOffered(provider)),
    discoverMailServer: createDiscoverMailServer({
      discoverServer: parts.discoverServer,
      limitAttempts: createLimitAttempts({ attempts: stores.hosted.attempts }),
    }),
    listConfigUsage: createListConfigUsage({ configUsage: stores.configUsage, limitsOf }),
    ...createChangeConfig({
      noteSecurityEvent,
      configChanges: stores.configChanges,
      wakeSender,
      newSecretKey,
      secretKeyOf: (makes) => formatToken('secret_key', stores.derive(`secret key ${makes}`)),
    }),
    deleteConfig: createDeleteConfig({ configs, deliveries }),
    ...createKeepTemplates({ templates }),
    createTemplate: createCreateTemplate({ templates, newId }),
    updateTemplate: createUpdateTemplate({ templates }),
    sendMail,
    doOnce: createDoOnce({ keys: stores.idempotencyKeys, newId }),
    listMessages: (workspaceId: string, page: { limit: number; offset: number }) =>
      stores.messageList.list(workspaceId, page),
    getStatistics: createGetStatistics({ statistics: stores.statistics }),
    getMessage,
    watchMessage: watchingMessages.watchMessage,
    retryMessage: createRetryMessage({ messages, deliveries, wakeSender }),
    resendUnknown: createResendUnknown({ messages, deliveries, wakeSender }),
    prepareDemo: (keptPassword: { read: () => Promise<string | null>; write: (password: string) => Promise<void> }) =>
      createPrepareDemo({
        accounts,
        configs,
        passwords,
        keptPassword,
        newId,
        newPassword: () => parts.newToken('access').slice(-12),
        newSecretKey,
        now,
      })(),
  }
}

function embedUseCases(
  { stores, now, newId, newToken, noteSecurityEvent }: Parts,
  shared: {
    addConfig: ReturnType<typeof createAddConfig>
    sendMail: ReturnType<typeof createSendMail>
    wakeSender: (mailboxId: string) => void
  },
) {
  const { configs, embeds, embedSessions, embedUsage } = stores
  const tokenOf = (kind: TokenKind) => () => newToken(kind)
  const openSession = createOpenEmbedSession({ embeds, embedSessions, newId, newToken: tokenOf('embed_session'), now })
  return {
    authenticateEmbed: createAuthenticateEmbed({ embeds, embedSessions }),
    ...createKeepEmbeds({
      embeds,
      embedSessions,
      embedUsage,
      configs,
      newEmbedId: tokenOf('embed'),
      noteSecurityEvent,
    }),
    openEmbedSession: openSession,
    ...createEmbedConsent({ embeds, embedSessions, configs, openSession, newCode: tokenOf('embed_code'), now }),
    ...createUseEmbed({ configs, embeds, embedSessions, embedUsage, ...shared, newId, now }),
  }
}

function hostedUseCases({ stores, isHostedElsewhere, readLibrary, log, now, newId, ...parts }: Parts) {
  const { noteSecurityEvent } = parts
  const { documents, users, keys, attempts, seeds, pageKey } = stores.hosted
  const { passwords } = stores
  const limitAttempts = createLimitAttempts({ attempts })
  const newToken = () => parts.newToken('hosted_user')
  return {
    authenticateHosted: createAuthenticateHosted({ keys, users: isHostedElsewhere ? null : users, pageKey }),
    getDocument: createGetDocument({ documents }),
    listDocuments: createListDocuments({ documents }),
    createDocument: createCreateDocument({ documents, newId }),
    updateDocument: createUpdateDocument({ documents }),
    deleteDocument: createDeleteDocument({ documents }),
    signInHosted: createSignInHosted({ users, passwords, limitAttempts, newToken, now, noteSecurityEvent }),
    signUpHosted: createSignUpHosted({ users, passwords, limitAttempts, newId, newToken, now }),
    updateHostedUser: createUpdateHostedUser({ users, passwords, limitAttempts, noteSecurityEvent }),
    plantLibrary: createPlantLibrary({ readLibrary, seeds, log }),
  }
}
