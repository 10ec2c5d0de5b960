import type { SystemMailbox } from './domain/account-mail.ts'
import type { TokenKind } from './domain/token.ts'
import { readLink } from './domain/unsubscribe-link.ts'
import { limitsOf } from './mailer/providers.ts'
import type { VerdictWatch } from './mailer/verdict-watch.ts'
import type { Stores } from './stores.ts'
import { createAddConfig, type MailboxLogin, type MailboxVerdict } from './usecases/add-config.ts'
import { createAuthenticate } from './usecases/authenticate.ts'
import { createConfirmEmail } from './usecases/confirm-email.ts'
import { createFillCampaign } from './usecases/fill-campaign.ts'
import { createForetell } from './usecases/foretell.ts'
import { createKeepCampaigns } from './usecases/keep-campaigns.ts'
import { createRunCampaign } from './usecases/run-campaign.ts'
import { createUnsubscribe } from './usecases/unsubscribe.ts'
import { createWatchCampaign } from './usecases/watch-campaign.ts'
import { createCreateCampaign, createUpdateCampaign } from './usecases/write-campaign.ts'
import { createDeleteConfig } from './usecases/delete-config.ts'
import { createGetMessage } from './usecases/get-message.ts'
import { createIssueConfirmation } from './usecases/issue-confirmation.ts'
import { createKeepTemplates } from './usecases/keep-templates.ts'
import { createKeepSuppressions } from './usecases/keep-suppressions.ts'
import { createKeepWorkspace } from './usecases/keep-workspace.ts'
import { createListConfigs } from './usecases/list-configs.ts'
import { createPrepareDemo } from './usecases/prepare-demo.ts'
import { createResendConfirmation } from './usecases/resend-confirmation.ts'
import { createResendUnknown } from './usecases/resend-unknown.ts'
import { createSendMail } from './usecases/send-mail.ts'
import { createSignIn } from './usecases/sign-in.ts'
import { createSignUp } from './usecases/sign-up.ts'
import { createCreateTemplate, createUpdateTemplate } from './usecases/write-template.ts'

interface Parts {
  stores: Stores
  verdicts: Pick<VerdictWatch, 'awaitFirst'>
  wakeSender: (configId?: string) => void
  verifyMailbox: (login: MailboxLogin) => Promise<MailboxVerdict>
  isSandboxOn: boolean
  systemMailbox: SystemMailbox
  publicUrl: string
  now: () => Date
  tickMs: () => number
  newId: () => string
  newToken: (kind: TokenKind) => string
}

/** Hands every use-case its ports. */
export function createUseCases(parts: Parts) {
  const { stores, verdicts, wakeSender, systemMailbox, publicUrl, now, tickMs, newId } = parts
  const { accounts, campaigns, configs, deliveries, messages, passwords, suppressions, templates, workspaces } = stores
  const newSecretKey = () => parts.newToken('secret_key')
  const wakeSystem = () => wakeSender(systemMailbox.configId)

  const issueConfirmation = createIssueConfirmation({
    systemMailbox,
    publicUrl,
    newId,
    newToken: () => parts.newToken('confirmation'),
    now,
  })
  const authenticate = createAuthenticate({ accounts, configs })
  const foretell = createForetell({ mailboxUse: stores.mailboxUse, limitsOf, now, tickMs })
  const keepCampaigns = createKeepCampaigns({ campaigns, foretell })
  const { findCampaign, getCampaign } = keepCampaigns
  const recipients = stores.campaignRecipients
  const writing = { campaigns, templates, configs, workspaces, findCampaign, newId, publicUrl }
  const watching = createWatchCampaign({ getCampaign, tickMs })
  return {
    ...keepCampaigns,
    createCampaign: createCreateCampaign(writing),
    updateCampaign: createUpdateCampaign(writing),
    fillCampaign: createFillCampaign({ recipients, foretell, findCampaign, now }),
    ...createRunCampaign({
      campaigns,
      recipients,
      clock: stores.campaignClock,
      messages,
      configs,
      workspaces,
      findCampaign,
      newId,
      now,
      publicUrl,
      wakeSender,
    }),
    watchCampaign: watching.watchCampaign,
    /** Ends what streams for as long as somebody listens. */
    endStreams: watching.close,
    ...createKeepWorkspace({ workspaces }),
    ...createKeepSuppressions({ suppressions }),
    ...createUnsubscribe({ suppressions, readLink: (token) => readLink(stores.linkKeys, token) }),
    authenticate,
    findCaller: authenticate.find,
    findOwnMailbox: authenticate.ownMailbox,
    signUp: createSignUp({
      accounts,
      messages,
      passwords,
      issueConfirmation,
      systemMailbox,
      publicUrl,
      newId,
      now,
      wakeSender: wakeSystem,
    }),
    signIn: createSignIn({ accounts, passwords, newId, newToken: () => parts.newToken('access'), now }),
    signOut: (sessionId: string) => accounts.deleteSession(sessionId),
    confirmEmail: createConfirmEmail({ accounts }),
    resendConfirmation: createResendConfirmation({ accounts, issueConfirmation, now, wakeSender: wakeSystem }),
    addConfig: createAddConfig({
      verifyMailbox: parts.verifyMailbox,
      configs,
      isSandboxOn: parts.isSandboxOn,
      newId,
      newSecretKey,
    }),
    listConfigs: createListConfigs({ configs }),
    deleteConfig: createDeleteConfig({ configs, deliveries }),
    ...createKeepTemplates({ templates }),
    createTemplate: createCreateTemplate({ templates, newId }),
    updateTemplate: createUpdateTemplate({ templates }),
    sendMail: createSendMail({ messages, templates, suppressions, foretell, verdicts, newId, wakeSender }),
    getMessage: createGetMessage({ messages }),
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
