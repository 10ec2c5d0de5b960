import type { SystemMailbox } from './domain/account-mail.ts'
import type { TokenKind } from './domain/token.ts'
import type { Discovery } from './mailer/discover-server.ts'
import type { OAuthClient } from './mailer/oauth-client.ts'
import type { SignInProvider } from '../contract/config.ts'
import type { VerdictWatch } from './mailer/verdict-watch.ts'
import type { Stores } from './stores.ts'
import { createAddConfig, type MailboxLogin, type MailboxVerdict } from './usecases/add-config.ts'
import { createAuthenticate } from './usecases/authenticate.ts'
import { createConfirmEmail } from './usecases/confirm-email.ts'
import { createFinishMailboxSignIn } from './usecases/finish-mailbox-sign-in.ts'
import { createStartMailboxSignIn } from './usecases/start-mailbox-sign-in.ts'
import { createDeleteConfig } from './usecases/delete-config.ts'
import { createGetMessage } from './usecases/get-message.ts'
import { createIssueConfirmation } from './usecases/issue-confirmation.ts'
import { createKeepTemplates } from './usecases/keep-templates.ts'
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
  discoverServer: (emailAddress: string) => Promise<Discovery>
  verifyTokens: (mailbox: {
    emailAddress: string
    provider: SignInProvider
    accessToken: string
  }) => Promise<MailboxVerdict>
  oauth: OAuthClient
  isSandboxOn: boolean
  systemMailbox: SystemMailbox
  publicUrl: string
  now: () => Date
  newId: () => string
  newToken: (kind: TokenKind) => string
}

/** Hands every use-case its ports. */
export function createUseCases(parts: Parts) {
  const { stores, verdicts, wakeSender, systemMailbox, publicUrl, now, newId } = parts
  const { accounts, configs, deliveries, messages, passwords, templates } = stores
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
  return {
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
      discoverServer: parts.discoverServer,
      configs,
      isSandboxOn: parts.isSandboxOn,
      newId,
      newSecretKey,
    }),
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
    deleteConfig: createDeleteConfig({ configs, deliveries }),
    ...createKeepTemplates({ templates }),
    createTemplate: createCreateTemplate({ templates, newId }),
    updateTemplate: createUpdateTemplate({ templates }),
    sendMail: createSendMail({ messages, templates, verdicts, newId, wakeSender }),
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
