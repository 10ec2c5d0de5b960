import type {
  acceptDocument as AcceptDocument,
  confirmEmail as ConfirmEmail,
  exchangeSignInCode as ExchangeSignInCode,
  getCurrentUser as GetCurrentUser,
  requestPasswordReset as RequestPasswordReset,
  resendConfirmation as ResendConfirmation,
  signIn as SignIn,
  signOut as SignOut,
  signUp as SignUp,
  updatePassword as UpdatePassword,
} from '../../contract/account/account.ts'
import type { AnswerOf, BodyOf } from '../../contract/core/operation.ts'
import { call, callRaw, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/account/account.routes.ts'

/** Creates an account. The password goes over the wire once: `hashed_password` is not sent (decisions, Accounts). */
export function signUp(
  session: Session,
  person: Omit<BodyOf<typeof SignUp>, 'hashed_password'>,
  options?: CallOptions,
): Promise<AnswerOf<typeof SignUp>> {
  return call<typeof SignUp>(session, { route: routes.signUp, body: person, status: 201 }, options)
}

/** Trades email and password for an access token; the email goes in lower case (spec §3). */
export function signIn(
  session: Session,
  { email, password }: BodyOf<typeof SignIn>,
  options?: CallOptions,
): Promise<AnswerOf<typeof SignIn>> {
  const body = { email: email.toLowerCase(), password }
  return call<typeof SignIn>(undisturbed(session), { route: routes.signIn, body, status: 200 }, options)
}

/** Trades the one-time token of /login for an access token, in the browser that started there. */
export function exchangeSignInCode(
  session: Session,
  token: string,
  options?: CallOptions,
): Promise<AnswerOf<typeof ExchangeSignInCode>> {
  const body = { token }
  return call<typeof ExchangeSignInCode>(undisturbed(session), { route: routes.exchangeSignInCode, body }, options)
}

/** Ends the session of the access token on the server. */
export function signOut(session: Session, options?: CallOptions): Promise<AnswerOf<typeof SignOut>> {
  return call<typeof SignOut>(session, { route: routes.signOut }, options)
}

/** Gives the raw response: whether it is ok decides over the session (spec §7). */
export function getCurrentUser(session: Session, options?: CallOptions): Promise<Response> {
  return callRaw<typeof GetCurrentUser>(session, { route: routes.getCurrentUser }, options)
}

/** Asks for a mail with a link that sets a new password. The answer is the same for every address. */
export function requestPasswordReset(
  session: Session,
  value: string,
  options?: CallOptions,
): Promise<AnswerOf<typeof RequestPasswordReset>> {
  return call<typeof RequestPasswordReset>(
    undisturbed(session),
    { route: routes.requestPasswordReset, params: { value } },
    options,
  )
}

/** Sets a new password with the token of the mailed link. */
export function updatePassword(
  session: Session,
  body: BodyOf<typeof UpdatePassword>,
  options?: CallOptions,
): Promise<AnswerOf<typeof UpdatePassword>> {
  return call<typeof UpdatePassword>(undisturbed(session), { route: routes.updatePassword, body }, options)
}

/** Gives the raw response: its status and its body together decide what the screen shows (spec §4). */
export function confirmEmail(session: Session, confirmationToken: string, options?: CallOptions): Promise<Response> {
  return callRaw<typeof ConfirmEmail>(
    session,
    {
      route: routes.confirmEmail,
      params: { confirmation_token: confirmationToken },
    },
    options,
  )
}

/** Asks for another confirmation mail, without a body: the server knows the account by token or cookie. Raw response. */
export function resendConfirmation(session: Session, options?: CallOptions): Promise<Response> {
  return callRaw<typeof ResendConfirmation>(session, { route: routes.resendConfirmation }, options)
}

/** Keeps that the signed-in person accepts a version of a document. */
export function acceptDocument(
  session: Session,
  acceptance: BodyOf<typeof AcceptDocument>,
  options?: CallOptions,
): Promise<null> {
  return call<typeof AcceptDocument>(session, { route: routes.acceptDocument, body: acceptance }, options)
}

/** Sends the token of the session, as every call does (spec §6), but a refusal of what is sent does not end that session. */
function undisturbed(session: Session): Session {
  return { ...session, rejected: () => undefined }
}
