import { AppError } from '../../contract/errors.ts'
import type { CampaignRow } from '../domain/campaign.ts'
import { isRowId } from '../domain/id.ts'
import type { Foretell } from './foretell.ts'

interface Ports {
  campaigns: {
    list: (
      workspaceId: string,
      page: { limit: number; offset: number },
    ) => Promise<{ rows: CampaignRow[]; total: number }>
    find: (workspaceId: string, id: string) => Promise<CampaignRow | null>
  }
  foretell: Pick<Foretell, 'campaigns'>
}

/** A campaign, and when its last mail will leave; null once it has ended, and without recipients. */
export type ForetoldCampaign = CampaignRow & { finishesAt: Date | null }

export type KeepCampaigns = ReturnType<typeof createKeepCampaigns>

/** The campaigns of a workspace as they stand. Those of another read as unknown. */
export function createKeepCampaigns({ campaigns, foretell }: Ports) {
  const foretold = async (rows: readonly CampaignRow[]): Promise<ForetoldCampaign[]> => {
    const ends = await foretell.campaigns(rows)
    return rows.map((row) => ({ ...row, finishesAt: ends.get(row.id) ?? null }))
  }

  /** Throws `campaign_not_found`. */
  const findCampaign = async (workspaceId: string, id: string): Promise<CampaignRow> => {
    const campaign = isRowId(id) ? await campaigns.find(workspaceId, id) : null
    if (campaign === null) throw new AppError('campaign_not_found')
    return campaign
  }

  /** Throws `campaign_not_found`. */
  const getCampaign = async (workspaceId: string, id: string): Promise<ForetoldCampaign> => {
    const campaign = await findCampaign(workspaceId, id)
    const ends = await foretell.campaigns([campaign])
    return { ...campaign, finishesAt: ends.get(id) ?? null }
  }

  return {
    findCampaign,
    getCampaign,

    /** Newest first. */
    async listCampaigns(
      workspaceId: string,
      page: { limit: number; offset: number },
    ): Promise<{ rows: ForetoldCampaign[]; total: number }> {
      const { rows, total } = await campaigns.list(workspaceId, page)
      return { rows: await foretold(rows), total }
    },
  }
}
