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

/** Actions of the unsubscribe link in a mail. Each throws `not_found` for an invalid link. */
export function createUnsubscribe({ suppressions, readLink }: Ports) {
  const scopeOf = ({ workspaceId }: { workspaceId: string }) =>
    authorize({ kind: 'system', task: 'unsubscribe' }, 'suppressions:write', workspaceId)
  const findMailed = async (token: string): Promise<MailedRecipient> => {
    const link = readLink(token)
    const mailed = link && (await suppressions.findRecipient(scopeOf(link), link.messageId, link.deliveryId))
    if (mailed === null) throw new AppError('not_found')
    return mailed
  }
  return {
    /** Changes nothing. */
    findMailed,

    /** Suppresses the address for the workspace, permanently and at once. Idempotent. */
    async unsubscribe(token: string): Promise<MailedRecipient> {
      const mailed = await findMailed(token)
      const { campaignId } = mailed
      await suppressions.add(scopeOf(mailed), [
        { email: mailed.email.toLowerCase(), reason: 'unsubscribed', campaignId },
      ])
      return mailed
    },
  }
}
