import { AppError } from '../../../contract/core/errors.ts'
import type { CampaignMail } from '../../domain/campaigns/campaign-mail.ts'
import { createSizeCheck, tooLargeItem } from '../../domain/messages/rendered-size.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  recipients: Pick<CampaignRecipients, 'listLargeContexts'>
  publicUrl: string
}

export type RefuseLargeCampaign = ReturnType<typeof createRefuseLargeCampaign>

const batchCount = 500

/**
 * Refuses a campaign of which one recipient's mail would be above the limits. Of most campaigns no row is read: only
 * recipients whose own values are long enough to matter are looked at, a batch at a time. Throws `mail_too_large`.
 */
export function createRefuseLargeCampaign({ recipients, publicUrl }: Ports) {
  return async (scope: Scope, campaignId: string, mail: CampaignMail): Promise<void> => {
    const check = createSizeCheck({ ...mail, isHtml: true }, publicUrl)
    const minBytes = check.safeContextBytes
    if (minBytes === Infinity) return
    let afterId = 0
    for (;;) {
      const rows = await recipients.listLargeContexts(scope, campaignId, { minBytes, afterId, limit: batchCount })
      for (const { recipient, context } of rows) {
        const problem = check.find(recipient, context)
        if (problem !== null) throw new AppError('mail_too_large', { items: [tooLargeItem(problem)] })
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < batchCount) return
      afterId = last.id
    }
  }
}
