import type * as api from '../../contract/account/account.ts'
import type { BodyOf } from '../../contract/core/operation.ts'
import { call, callRaw, type CallOptions, type Session } from '../core/http.ts'
import * as routes from '../../contract/account/account.routes.ts'

/** Creates an account. The password goes over the wire once: `hashed_password` is not sent (decisions, Accounts). */
export function signUp(
  session: Session,
  person: Omit<BodyOf<typeof api.signUp>, 'hashed_password'>,
  options?: CallOptions,
) {
  return call<typeof api.signUp>(session, { route: routes.signUp, body: person, status: 201 }, options)
}

/** Trades email and password for an access token; the email goes in lower case (spec §3). */
export function signIn(session: Session, { email, password }: BodyOf<typeof api.signIn>, options?: CallOptions) {
  const body = { email: email.toLowerCase(), password }
  return call<typeof api.signIn>(undisturbed(session), { route: routes.signIn, body, status: 200 }, options)
}

/** Trades the one-time token of /login for an access token, in the browser that started there. */
export function exchangeSignInCode(session: Session, token: string, options?: CallOptions) {
  const body = { token }
  return call<typeof api.exchangeSignInCode>(undisturbed(session), { route: routes.exchangeSignInCode, body }, options)
}

/** Ends the session of the access token on the server. */
export function signOut(session: Session, options?: CallOptions) {
  return call<typeof api.signOut>(session, { route: routes.signOut }, options)
}

/** Gives the raw response: whether it is ok decides over the session (spec §7). */
export function getCurrentUser(session: Session, options?: CallOptions): Promise<Response> {
  return callRaw<typeof api.getCurrentUser>(session, { route: routes.getCurrentUser }, options)
}

/** Asks for a mail with a link that sets a new password. The answer is the same for every address. */
export function requestPasswordReset(session: Session, value: string, options?: CallOptions) {
  return call<typeof api.requestPasswordReset>(
    undisturbed(session),
    { route: routes.requestPasswordReset, params: { value } },
    options,
  )
}

/** Sets a new password with the token of the mailed link. */
export function updatePassword(session: Session, body: BodyOf<typeof api.updatePassword>, options?: CallOptions) {
  return call<typeof api.updatePassword>(undisturbed(session), { route: routes.updatePassword, body }, options)
}

/** Gives the raw response: its status and its body together decide what the screen shows (spec §4). */
export function confirmEmail(session: Session, confirmationToken: string, options?: CallOptions): Promise<Response> {
  return callRaw<typeof api.confirmEmail>(
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
  return callRaw<typeof api.resendConfirmation>(session, { route: routes.resendConfirmation }, options)
}

/** Keeps that the signed-in person accepts a version of a document. */
export function acceptDocument(
  session: Session,
  acceptance: BodyOf<typeof api.acceptDocument>,
  options?: CallOptions,
): Promise<null> {
  return call<typeof api.acceptDocument>(session, { route: routes.acceptDocument, body: acceptance }, options)
}

/** Sends the token of the session, as every call does (spec §6), but a refusal of what is sent does not end that session. */
function undisturbed(session: Session): Session {
  return { ...session, rejected: () => undefined }
}
