import { AppError } from '../../../contract/core/errors.ts'
import type { MailedRecipient, NewSuppression } from '../../domain/suppressions/suppression.ts'
import type { LinkedMail } from '../../domain/suppressions/unsubscribe-link.ts'

interface Ports {
  suppressions: {
    findRecipient: (messageId: string, deliveryId: number) => Promise<MailedRecipient | null>
    add: (workspaceId: string, entries: readonly NewSuppression[]) => Promise<number>
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
      await suppressions.add(workspaceId, [{ email: mailed.email.toLowerCase(), reason: 'unsubscribed', campaignId }])
      return mailed
    },
  }
}
