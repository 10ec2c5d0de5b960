import * as contract from '../../contract/account.ts'
import { errors } from '../../contract/errors.ts'
import type { AcceptableDocument } from '../../contract/limits.ts'
import type { Account } from '../domain/account.ts'
import type { Caller } from '../domain/caller.ts'
import type { ConfirmationOutcome } from '../usecases/confirm-email.ts'
import type { PendingAccountCookie } from './pending-account-cookie.ts'
import { bearerOf, type AddRoute } from './route.ts'
import { accountSentences } from './sentences.ts'

/** The use-cases behind the account calls. */
export interface AccountUseCases {
  signUp: (input: {
    firstName: string
    lastName: string
    email: string
    password: string
    referralSource: string | null
  }) => Promise<{ userId: Account['id'] }>
  signIn: (input: {
    email: string
    password: string
    userAgent: string | null
  }) => Promise<{ token: string; isConfirmed: boolean }>
  signOut: (sessionId: string) => Promise<void>
  confirmEmail: (token: string) => Promise<ConfirmationOutcome>
  resendConfirmation: (userId: string | null) => Promise<void>
  acceptDocument: (acceptance: { userId: string; document: AcceptableDocument; documentDate: string }) => Promise<void>
  findCaller: (token: string | null) => Promise<Caller | null>
}

/** `/auth/*` and the confirmation mail (spec §7, account calls). */
export function addAccountRoutes(add: AddRoute, useCases: AccountUseCases, cookie: PendingAccountCookie): void {
  add(contract.signUp, async ({ body, reply }) => {
    const { userId } = await useCases.signUp({
      firstName: body.first_name,
      lastName: body.last_name,
      email: body.email,
      password: body.password,
      referralSource: body.referral_source === '' ? null : (body.referral_source ?? null),
    })
    cookie.set(reply, userId)
    return { message: accountSentences.signedUp }
  })

  add(contract.signIn, async ({ body, request }) => {
    const { token, isConfirmed } = await useCases.signIn({ ...body, userAgent: request.headers['user-agent'] ?? null })
    return { access_token: token, confirmed_email: isConfirmed }
  })

  add(contract.signOut, async ({ caller }) => {
    await useCases.signOut(caller.sessionId)
    return null
  })

  add(contract.getCurrentUser, ({ caller }) => Promise.resolve(toUser(caller)))

  add(contract.confirmEmail, async ({ params, reply }) => {
    const found = await useCases.confirmEmail(params.confirmation_token)
    if (found.outcome === 'confirmed') return { message: accountSentences.confirmed, error: null }
    const { status, sentence } = errors[found.outcome === 'expired' ? 'confirmation_expired' : 'confirmation_unknown']
    // Whoever holds an expired link may ask for a new mail: the cookie says for which account.
    if (found.outcome === 'expired') cookie.set(reply, found.userId)
    void reply.status(status)
    return { message: sentence, error: found.outcome === 'expired' ? 'expired' : 'invalid' }
  })

  add(contract.resendConfirmation, async ({ request }) => {
    const caller = await useCases.findCaller(bearerOf(request))
    await useCases.resendConfirmation(caller?.userId ?? cookie.read(request))
    return { message: accountSentences.resent }
  })

  add(contract.acceptDocument, async ({ body, caller }) => {
    await useCases.acceptDocument({ userId: caller.userId, document: body.document, documentDate: body.date })
    return null
  })
}

function toUser(caller: Caller): contract.User {
  return {
    id: caller.userId,
    email: caller.email,
    first_name: caller.firstName,
    last_name: caller.lastName,
    confirmed_email: caller.isConfirmed,
    created_at: caller.createdAt.toISOString(),
    workspace: caller.workspace,
  }
}
