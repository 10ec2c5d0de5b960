import type { createSignUp } from '../../usecases/accounts/sign-up.ts'
import type { createSignIn } from '../../usecases/accounts/sign-in.ts'
import type { createExchangeSignInCode } from '../../usecases/accounts/exchange-sign-in-code.ts'
import type { createRequestPasswordReset } from '../../usecases/accounts/request-password-reset.ts'
import type { createUpdatePassword } from '../../usecases/accounts/update-password.ts'
import type { createConfirmEmail } from '../../usecases/accounts/confirm-email.ts'
import type { createResendConfirmation } from '../../usecases/accounts/resend-confirmation.ts'
import type { createAuthenticate } from '../../usecases/auth/authenticate.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '../../../contract/account/account.ts'
import { errors } from '../../../contract/core/errors.ts'
import type { Acceptance } from '../../domain/accounts/account.ts'
import type { SignedInUser } from '../../domain/auth/caller.ts'
import type { PendingAccounts } from '../../usecases/accounts/pending-account.ts'
import { bearerOf } from '../core/request-credentials.ts'
import type { AddRoute } from '../core/route.ts'
import { accountSentences } from '../messages/response-messages.ts'
import type { SignInCookies } from './sign-in-cookies.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the account calls. */
export interface AccountUseCases extends PendingAccounts {
  signUp: ReturnType<typeof createSignUp>
  signIn: ReturnType<typeof createSignIn>
  exchangeSignInCode: ReturnType<typeof createExchangeSignInCode>
  signOut: (caller: SignedInUser) => Promise<void>
  requestPasswordReset: ReturnType<typeof createRequestPasswordReset>
  updatePassword: ReturnType<typeof createUpdatePassword>
  confirmEmail: ReturnType<typeof createConfirmEmail>
  resendConfirmation: ReturnType<typeof createResendConfirmation>
  acceptDocument: (acceptance: Acceptance) => Promise<void>
  findCaller: ReturnType<typeof createAuthenticate>['find']
}

interface SignedIn {
  token: string
  userId: string
  isConfirmed: boolean
}

/** `/auth/*` and the confirmation mail (spec §7, account calls). */
export function addAccountRoutes(add: AddRoute, useCases: AccountUseCases, cookies: SignInCookies): void {
  add(contract.signUp, async ({ body, request, reply }) => {
    const { userId } = await useCases.signUp({
      firstName: body.first_name,
      lastName: body.last_name,
      email: body.email,
      password: body.password,
      referralSource: body.referral_source ?? null,
      address: request.ip,
    })
    cookies.pendingAccount.set(reply, await useCases.rememberPendingAccount(userId))
    return { message: accountSentences.signedUp }
  })

  const answerSignedIn = (request: FastifyRequest, reply: FastifyReply, { token, userId, isConfirmed }: SignedIn) => {
    cookies.rememberDevice(request, reply, userId)
    return { access_token: token, confirmed_email: isConfirmed }
  }

  add(contract.signIn, async ({ body, request, reply }) => {
    const signedIn = await useCases.signIn({
      email: body.email,
      password: body.password,
      userAgent: request.headers['user-agent'] ?? null,
      address: request.ip,
      device: cookies.device.read(request),
      pendingLink: cookies.pendingLink.read(request),
      proofOfWork: body.proof_of_work ?? null,
    })
    cookies.pendingLink.clear(reply)
    return answerSignedIn(request, reply, signedIn)
  })

  add(contract.exchangeSignInCode, async ({ body, request, reply }) => {
    const signedIn = await useCases.exchangeSignInCode({
      code: body.token,
      browserToken: cookies.signInBrowser.read(request),
      userAgent: request.headers['user-agent'] ?? null,
    })
    cookies.signInBrowser.clear(reply)
    return answerSignedIn(request, reply, signedIn)
  })

  add(contract.signOut, ({ caller }) => useCases.signOut(caller))

  add(contract.getCurrentUser, ({ caller }) => Promise.resolve(toUser(caller)))

  add(contract.requestPasswordReset, async ({ params, request }) => {
    await useCases.requestPasswordReset({ email: params.value, address: request.ip })
    return { message: accountSentences.resetRequested }
  })

  add(contract.updatePassword, async ({ body }) => {
    await useCases.updatePassword({ token: body.token, newPassword: body.new_password })
    return { message: accountSentences.passwordUpdated }
  })

  add(contract.confirmEmail, async ({ params, reply }) => {
    const found = await useCases.confirmEmail(params.confirmation_token)
    if (found.outcome === 'confirmed') return { message: accountSentences.confirmed, error: null }
    const { status, sentence } = errors[found.outcome === 'expired' ? 'confirmation_expired' : 'confirmation_unknown']
    // The owner of an expired link may request a new mail: the cookie identifies the account.
    if (found.outcome === 'expired') {
      cookies.pendingAccount.set(reply, await useCases.rememberPendingAccount(found.userId))
    }
    void reply.status(status)
    return { message: sentence, error: found.outcome === 'expired' ? 'expired' : 'invalid' }
  })

  add(contract.resendConfirmation, async ({ request }) => {
    const caller = await useCases.findCaller(bearerOf(request))
    const userId = caller?.userId ?? (await useCases.findPendingAccount(cookies.pendingAccount.read(request)))
    await useCases.resendConfirmation(userId)
    return { message: accountSentences.resent }
  })

  add(contract.acceptDocument, ({ body, caller }) =>
    useCases.acceptDocument({ userId: caller.userId, document: body.document, documentDate: body.date }),
  )
}

/** Wire format of a user. */
export function toUser(caller: SignedInUser): contract.User {
  return {
    ...toWire(caller, ['email', 'firstName', 'lastName', 'createdAt', 'hasPassword', 'preferences', 'workspace']),
    id: caller.userId,
    confirmed_email: caller.isConfirmed,
  }
}
