import { AppError } from '../../../contract/core/errors.ts'
import type { MailedRecipient } from '../../domain/suppressions/suppression.ts'
import type { LinkedMail } from '../../domain/suppressions/unsubscribe-link.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { SuppressionStore } from '../../store/suppressions/suppression.ts'

interface Ports {
  suppressions: Pick<SuppressionStore, 'findRecipient' | 'add'>
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
