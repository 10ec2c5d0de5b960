import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { TrackingStore } from '../../store/tracking/tracking.ts'
import { refuseAction, type CampaignService } from '../campaigns/campaign-service.ts'

interface Ports {
  tracking: Pick<TrackingStore, 'setCampaign'>
  findCampaign: CampaignService['findCampaign']
}

/** What is recorded of a campaign's opens and clicks; undefined fields stay. */
export interface CampaignTrackingInput {
  /** Null: as the workspace. */
  tracking?: TrackingMode | null | undefined
  utm?: Readonly<Record<string, string>> | undefined
  /** Whether people who want one campaign a week get it in any week. */
  frequencyExempt?: boolean | undefined
}

export type SetCampaignTracking = ReturnType<typeof createSetCampaignTracking>

/** Changes the tracking of a campaign that has not started. Throws `campaign_not_found`, `campaign_state`. */
export function createSetCampaignTracking({ tracking, findCampaign }: Ports) {
  return async (scope: Scope, id: string, input: CampaignTrackingInput): Promise<void> => {
    if (Object.values(input).every((value) => value === undefined)) return
    const campaign = await findCampaign(scope, id)
    if (await tracking.setCampaign(scope, id, ['draft'], input)) return
    refuseAction('edit', campaign)
  }
}
