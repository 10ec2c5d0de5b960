import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import type { Attempts } from '../../domain/limits/attempt.ts'
import { takeAll } from '../limits/take-attempts.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  /** The mail server that an address's domain publishes; null where it publishes none. Queries public addresses only. */
  discoverServer: (emailAddress: string) => Promise<{ server: SmtpServer; isSure: boolean } | null>
  attempts: Pick<Attempts, 'take' | 'giveBack'>
}

/** Concurrent discoveries per workspace and per process: each holds connections to unknown hosts for seconds. */
const workspaceMaxCount = 5
const processMaxCount = 50
const crowdedRetryMs = 5000

/**
 * Queries the domain of an address for its mail server. Each query makes requests to a domain that an attacker may own, so a
 * workspace has 60 in a quarter of an hour, and five at a time. Throws `validation`, `too_many_attempts`.
 */
export function createDiscoverMailServer({ discoverServer, attempts }: Ports) {
  /** One entry for each that is under way. */
  const underWay: string[] = []

  return async (scope: Scope, emailAddress: string) => {
    const address = parseAddress(emailAddress)
    if (!address.ok) {
      const msg = `email_address ${addressProblems[address.problem]}`
      throw new AppError('validation', {
        items: [{ loc: ['body', 'email_address'], msg, type: `address_${address.problem}` }],
      })
    }
    const ownCount = underWay.filter((id) => id === scope.workspaceId).length
    if (ownCount >= workspaceMaxCount || underWay.length >= processMaxCount) {
      throw new AppError('too_many_attempts', { retryAfterMs: crowdedRetryMs })
    }
    underWay.push(scope.workspaceId)
    try {
      await takeAll(attempts, [['mail-server-discovery', scope.workspaceId]])
      return await discoverServer(address.key)
    } finally {
      underWay.splice(underWay.indexOf(scope.workspaceId), 1)
    }
  }
}
