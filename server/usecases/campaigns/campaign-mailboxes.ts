import { AppError } from '../../../contract/core/errors.ts'
import { serverMessage } from '../../../contract/core/server-messages.ts'
import type { Mailbox } from '../../domain/auth/caller.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignRow } from '../../domain/campaigns/campaign.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Ports {
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  wakeSender: (mailbox: MailboxKey) => void
}

export type CampaignMailboxes = ReturnType<typeof createCampaignMailboxes>

/** The mailboxes that send a campaign. */
export function createCampaignMailboxes({ mailboxes, wakeSender }: Ports) {
  return {
    /** Those that are connected and can send. Throws `config_not_found` without any, `mailbox_paused` where all are paused. */
    async listReady(scope: Scope, { mailboxIds }: Pick<CampaignRow, 'mailboxIds'>): Promise<Mailbox[]> {
      const connected = await mailboxes.findMailboxes(scope, mailboxIds)
      const [first] = connected
      if (first === undefined) throw new AppError('config_not_found')
      const ready = connected.filter(({ pause }) => pause?.until !== null)
      if (ready.length > 0) return ready
      const detail = serverMessage('mailbox_paused_because', {
        address: first.address,
        reason: first.pause?.reason ?? '',
      })
      throw new AppError('mailbox_paused', { detail })
    },

    wake({ workspaceId }: Scope, mailboxIds: readonly string[]): void {
      for (const mailboxId of mailboxIds) wakeSender({ workspaceId, mailboxId })
    },
  }
}
