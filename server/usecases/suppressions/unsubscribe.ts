import { AppError } from '../../../contract/core/errors.ts'
import type { MailedRecipient, NewSuppression } from '../../domain/suppressions/suppression.ts'
import type { LinkedMail } from '../../domain/suppressions/unsubscribe-link.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { authorize } from '../../domain/auth/authorize.ts'

interface Ports {
  suppressions: {
    findRecipient: (messageId: string, deliveryId: number) => Promise<MailedRecipient | null>
    add: (scope: Scope, entries: readonly NewSuppression[]) => Promise<number>
  }
  /** Null for what was not signed here. */
  readLink: (token: string) => LinkedMail | null
}

/** What somebody may do who holds the link of a mail. Each throws `not_found` for a link that is none. */
export function createUnsubscribe({ suppressions, readLink }: Ports) {
  const findMailed = async (token: string): Promise<MailedRecipient> => {
    const link = readLink(token)
    const mailed = link && (await suppressions.findRecipient(link.messageId, link.deliveryId))
    if (mailed === null) throw new AppError('not_found')
    return mailed
  }
  return {
    /** Changes nothing. */
    findMailed,

    /** At once and for good, however often: nothing of the workspace is sent to this address any more. */
    async unsubscribe(token: string): Promise<MailedRecipient> {
      const mailed = await findMailed(token)
      const { workspaceId, campaignId } = mailed
      const scope = authorize({ kind: 'system', task: 'unsubscribe' }, 'suppressions:write', workspaceId)
      await suppressions.add(scope, [{ email: mailed.email.toLowerCase(), reason: 'unsubscribed', campaignId }])
      return mailed
    },
  }
}
