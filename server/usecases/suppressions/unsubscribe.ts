import { AppError } from '../../../contract/core/errors.ts'
import type { MailedRecipient } from '../../domain/suppressions/suppression.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { SuppressionStore } from '../../store/suppressions/suppression.ts'
import type { FindLinkedMail } from '../tracking/find-linked-mail.ts'

interface Ports {
  suppressions: Pick<SuppressionStore, 'findRecipient' | 'add'>
  findLinkedMail: FindLinkedMail
}

/** Actions of the unsubscribe link in a mail. Each throws `not_found` for an invalid link. */
export function createUnsubscribe({ suppressions, findLinkedMail }: Ports) {
  const scopeOf = ({ workspaceId }: { workspaceId: string }) =>
    authorize({ kind: 'system', task: 'unsubscribe' }, 'suppressions:write', workspaceId)
  const findMailed = async (token: string): Promise<MailedRecipient> => {
    const link = await findLinkedMail(token)
    const mailed = link && (await suppressions.findRecipient(scopeOf(link), link))
    if (mailed === null) throw new AppError('not_found')
    return mailed
  }
  return {
    /** Changes nothing. */
    findMailed,

    /** Suppresses the address for the workspace, permanently and at once. Idempotent. */
    async unsubscribe(token: string): Promise<MailedRecipient> {
      const mailed = await findMailed(token)
      const { campaignId, deliveryMonth, deliveryId } = mailed
      await suppressions.add(scopeOf(mailed), [
        {
          email: mailed.email.toLowerCase(),
          reason: 'unsubscribed',
          campaignId,
          mail: { deliveryMonth, deliveryId },
        },
      ])
      return mailed
    },
  }
}
