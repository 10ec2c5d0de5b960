import { AppError } from '../../../contract/core/errors.ts'
import { networkOf, type Attempts } from '../../domain/limits/attempt.ts'
import { passwordProblem, readEmail } from '../../domain/auth/credentials.ts'
import { isTooLarge } from '../../domain/hosted/document-size.ts'
import type { DocumentData } from '../../domain/auth/hosted.ts'
import { takeAll } from '../limits/take-attempts.ts'
import { issueHostedToken, type HostedSignIn } from './sign-in-hosted.ts'
import type { HostedUserStore } from '../../store/hosted/hosted-user.ts'
import type { Passwords } from '../../store/accounts/passwords.ts'

interface Ports {
  users: Pick<HostedUserStore, 'create' | 'findByEmail' | 'addToken'>
  passwords: Pick<Passwords, 'hash'>
  attempts: Attempts
  newId: () => string
  newToken: () => string
  now: () => Date
}

/**
 * Creates a hosted user, with the id `resourceId` if given, and signs it in. Throws `hosted_email_taken`: the specification
 * requires this answer, so it is limited per network, and beyond the limit all sign-ups of the network are refused. Also
 * throws `validation`, `document_too_large`, `too_many_attempts`.
 */
export function createSignUpHosted(ports: Ports) {
  return async (input: {
    email: string
    password: string
    data: DocumentData
    address: string
    resourceId?: string | null
  }): Promise<HostedSignIn> => {
    const read = readEmail(input.email)
    const problem = passwordProblem(input.password)
    const items = [...(read.ok ? [] : [read.item]), ...(problem === null ? [] : [problem])]
    if (!read.ok || items.length > 0) throw new AppError('validation', { items })
    if (isTooLarge(input.data)) throw new AppError('document_too_large')
    const network = networkOf(input.address)
    await takeAll(ports.attempts, [['hosted-sign-up', network]])
    const passwordHash = await ports.passwords.hash(input.password)
    const { email } = read
    // Counted before it is known whether the address is taken: of many at once, none beyond the limit learns it.
    const taken = await takeAll(ports.attempts, [['hosted-sign-up-taken', network]])
    const id = input.resourceId ?? ports.newId()
    const made = await ports.users.create({ id, email, passwordHash, data: input.data })
    const user = made ?? (await ports.users.findByEmail(email))?.user
    // The user of another call, or of an earlier attempt of this call.
    if (user?.id !== id) throw new AppError('hosted_email_taken')
    await Promise.all(taken.map((attempt) => ports.attempts.giveBack(attempt)))
    return { token: await issueHostedToken(ports, user.id), user }
  }
}
