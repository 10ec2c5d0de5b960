import type { GivenAttachment } from '../../../contract/files/attachment.ts'
import type { AttachmentRow } from '../../domain/attachments/attachment.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { statesBefore } from '../../domain/campaigns/campaign-state.ts'
import type { AttachmentService } from '../attachments/attachment-service.ts'
import { refuseAction, type CampaignService } from './campaign-service.ts'

interface Ports {
  attachments: AttachmentService
  findCampaign: CampaignService['findCampaign']
}

/** The files of campaigns. A message of a campaign is sent with them. */
export function createCampaignAttachments({ attachments, findCampaign }: Ports) {
  return {
    /** The files that a call names, and those of its template. Throws `validation`, `attachment_refused`, `storage_full`. */
    async readCampaignFiles(
      scope: Scope,
      given: readonly GivenAttachment[],
      templateId: string | null,
    ): Promise<AttachmentRow[]> {
      const owner = templateId === null ? null : ({ kind: 'template', id: templateId } as const)
      return attachments.readAttachments(scope, given, owner ? await attachments.listAttachments(scope, owner) : [])
    },

    /** Puts files in place of those of a campaign that has not started. Throws `campaign_not_found`, `campaign_state`. */
    async setCampaignFiles(scope: Scope, id: string, files: readonly AttachmentRow[]): Promise<void> {
      const campaign = await findCampaign(scope, id)
      if (!statesBefore('edit').includes(campaign.status)) refuseAction('edit', campaign)
      await attachments.replaceAttachments(scope, { kind: 'campaign', id }, files)
    },

    listCampaignFiles: (scope: Scope, id: string) => attachments.listAttachments(scope, { kind: 'campaign', id }),
  }
}
