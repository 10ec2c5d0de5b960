import { AppError } from '../../../contract/core/errors.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import type { OpenSession } from './open-session.ts'
import type { AccountTokenStore } from '../../store/accounts/account-token.ts'

interface Ports {
  accountTokens: Pick<AccountTokenStore, 'useSignInCode'>
  openSession: OpenSession
}

/**
 * Opens a session for the one-time code of /login. It works once, and only in the browser that signed in: a code that
 * somebody slips to another opens nothing there. Throws `sign_in_code_invalid`.
 */
export function createExchangeSignInCode(ports: Ports) {
  return async (input: { code: string; browserToken: string | null; userAgent: string | null }) => {
    const { code, browserToken } = input
    const account =
      isToken('sign_in_code', code) && browserToken !== null && isToken('browser', browserToken)
        ? await ports.accountTokens.useSignInCode(hashToken(code), hashToken(browserToken))
        : null
    if (account === null) throw new AppError('sign_in_code_invalid')
    const token = await ports.openSession(account.id, input.userAgent)
    return { token, userId: account.id, isConfirmed: account.isConfirmed }
  }
}
