import { finishGoogleSignIn } from '../../contract/account/google.ts'
import { createProofOfWork } from '../altcha/proof-of-work.ts'
import type { Acceptance } from '../domain/accounts/account.ts'
import type { MailToAccount } from '../domain/accounts/account-mail.ts'
import type { SignedInUser } from '../domain/auth/caller.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { addAccountRoutes } from '../http/accounts/account.ts'
import { addGoogleStandIn } from '../http/accounts/sandbox-google.ts'
import { addGoogleRoutes } from '../http/accounts/google.ts'
import { addProfileRoutes } from '../http/accounts/profile.ts'
import { addSessionRoutes } from '../http/accounts/sessions.ts'
import { createSignInCookies } from '../http/accounts/sign-in-cookies.ts'
import { createGoogle } from '../oidc/google-sign-in.ts'
import { createStandInIssuer } from '../oidc/stand-in-issuer.ts'
import { createConfirmEmail } from '../usecases/accounts/confirm-email.ts'
import { createExchangeSignInCode } from '../usecases/accounts/exchange-sign-in-code.ts'
import { createFinishGoogleSignIn } from '../usecases/accounts/finish-google-sign-in.ts'
import { createIssueConfirmation } from '../usecases/accounts/issue-confirmation.ts'
import { createProfileService } from '../usecases/accounts/profile-service.ts'
import { createOpenSession } from '../usecases/accounts/open-session.ts'
import { createPendingAccounts } from '../usecases/accounts/pending-account.ts'
import { createRequestPasswordReset } from '../usecases/accounts/request-password-reset.ts'
import { createResendConfirmation } from '../usecases/accounts/resend-confirmation.ts'
import { createListSessions, createRevokeOtherSessions, createRevokeSession } from '../usecases/accounts/sessions.ts'
import { createSignIn } from '../usecases/accounts/sign-in.ts'
import { createSignUp } from '../usecases/accounts/sign-up.ts'
import { createUpdatePassword } from '../usecases/accounts/update-password.ts'
import { authenticate } from './auth.ts'
import { attemptStores } from './limits.ts'
import { hourMs, tokenOf, type Noun, type ServerParts } from './core/parts.ts'
import { accountStores } from './stores/accounts.ts'

/** Addresses a mail of the deployment to a user. */
export function mailToAccount({ newId, publicUrl, systemMailbox }: ServerParts): MailToAccount {
  return ({ email, firstName }, path) => ({
    id: newId(),
    from: systemMailbox,
    to: email,
    firstName,
    link: publicUrl + path,
  })
}

/** Dependencies that the account use cases share. */
function portsOf(parts: ServerParts) {
  const { newId, noteSecurityEvent, now, systemMailbox, vault, resolve } = parts
  const { sessions, ...stores } = resolve(accountStores)
  const mailTo = resolve(mailToAccount)
  return {
    ...stores,
    sessions,
    ...resolve(attemptStores),
    mailTo,
    newId,
    now,
    noteSecurityEvent,
    wakeSender: () => parts.wakeSender(systemMailbox),
    rest: (ms: number) => sleep(ms),
    proofOfWork: createProofOfWork({ secret: vault.derive('proof of work'), now }),
    openSession: createOpenSession({ sessions, newId, newToken: tokenOf(parts, 'access'), now }),
    issueConfirmation: createIssueConfirmation({ mailTo, newToken: tokenOf(parts, 'confirmation'), now }),
  }
}

function accountUseCases(parts: ServerParts) {
  const ports = parts.resolve(portsOf)
  return {
    findCaller: parts.resolve(authenticate).find,
    signUp: createSignUp(ports),
    signIn: createSignIn(ports),
    exchangeSignInCode: createExchangeSignInCode(ports),
    signOut: async ({ userId, sessionId }: Pick<SignedInUser, 'userId' | 'sessionId'>) => {
      await ports.sessions.end({ userId, id: sessionId })
    },
    requestPasswordReset: createRequestPasswordReset({ ...ports, newToken: tokenOf(parts, 'reset') }),
    updatePassword: createUpdatePassword(ports),
    acceptDocument: (acceptance: Acceptance) => ports.acceptances.add(acceptance),
    confirmEmail: createConfirmEmail(ports),
    ...createPendingAccounts({ ...ports, newHandle: tokenOf(parts, 'pending_account') }),
    resendConfirmation: createResendConfirmation(ports),
  }
}

/** Google, or the issuer that replaces it in a sandbox without GOOGLE_CLIENT_ID. */
function googleSignIn(parts: ServerParts) {
  const { isSandboxOn, log, now, publicUrl, settings } = parts
  const redirectUrl = publicUrl + finishGoogleSignIn.path
  const standIn = isSandboxOn && !settings.google ? createStandInIssuer(publicUrl, redirectUrl, now) : null
  const google = createGoogle(settings.google ?? standIn?.client ?? null, redirectUrl, (error) =>
    log.warn({ err: error }, 'Google sign-in did not work'),
  )
  const finish = createFinishGoogleSignIn({
    ...parts.resolve(portsOf),
    google,
    newCode: tokenOf(parts, 'sign_in_code'),
    newBrowserToken: tokenOf(parts, 'browser'),
  })
  return { standIn, startGoogleSignIn: () => google.start(), finishGoogleSignIn: finish }
}

export const accounts: Noun = {
  addRoutes(add, parts, app) {
    const { log, newId, now, publicUrl, resolve } = parts
    const ports = resolve(portsOf)
    const cookies = createSignInCookies({ isSecure: publicUrl.startsWith('https:'), now, newId })
    addAccountRoutes(add, accountUseCases(parts), cookies)
    const { standIn, ...google } = googleSignIn(parts)
    addGoogleRoutes(add, google, cookies, { publicUrl, log, isForLoopbackOnly: standIn !== null })
    if (standIn !== null) addGoogleStandIn(app, standIn)
    addSessionRoutes(add, {
      listSessions: createListSessions(ports),
      revokeSession: createRevokeSession(ports),
      revokeOtherSessions: createRevokeOtherSessions(ports),
    })
    addProfileRoutes(add, createProfileService(ports))
  },
  maintenance({ clock, resolve }) {
    const { profiles, pendingAccounts } = resolve(accountStores)
    return [
      { intervalMs: hourMs, run: () => profiles.deleteClosed() },
      { intervalMs: hourMs, run: async () => ((await clock.correct()) ? pendingAccounts.prune() : undefined) },
    ]
  },
}
