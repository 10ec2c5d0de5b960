import { addCampaignRoutes, addCampaignStreamRoutes } from '../http/campaigns/campaign.ts'
import { createCampaignClock } from '../store/campaigns/campaign-clock.ts'
import { createCampaignRecipients } from '../store/campaigns/campaign-recipient.ts'
import { createCampaignStore } from '../store/campaigns/campaign.ts'
import { createRefuseLargeCampaign } from '../usecases/campaigns/campaign-size.ts'
import { createFillCampaign } from '../usecases/campaigns/fill-campaign.ts'
import { createKeepCampaigns } from '../usecases/campaigns/keep-campaigns.ts'
import { createRunCampaign } from '../usecases/campaigns/run-campaign.ts'
import { createWatchCampaign } from '../usecases/campaigns/watch-campaign.ts'
import { createCreateCampaign, createUpdateCampaign } from '../usecases/campaigns/write-campaign.ts'
import { minuteMs, secondMs, type Noun, type Parts, type ServerParts } from './parts.ts'
import { foretell } from './quota.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'
import { templateStore } from './templates.ts'
import { workspaceStore } from './workspaces.ts'

const campaignClock = ({ database }: Parts) => createCampaignClock(database.pool)

function useCases({ database, newId, now, tickMs, publicUrl, wakeSender, onStop, resolve }: ServerParts) {
  const campaigns = createCampaignStore(database, newId)
  const recipients = createCampaignRecipients(database.pool)
  const shared = {
    campaigns,
    recipients,
    foretell: resolve(foretell),
    configs: resolve(mailboxStores).configs,
    messages: resolve(messageStores).messages,
    templates: resolve(templateStore),
    workspaces: resolve(workspaceStore),
    clock: resolve(campaignClock),
    refuseLargeCampaign: createRefuseLargeCampaign({ recipients, publicUrl }),
    newId,
    now,
    publicUrl,
    wakeSender,
  }
  const keepCampaigns = createKeepCampaigns(shared)
  const { findCampaign, getCampaign } = keepCampaigns
  const { watchCampaign, close } = createWatchCampaign({ getCampaign, tickMs })
  onStop(close)
  return {
    ...keepCampaigns,
    createCampaign: createCreateCampaign({ ...shared, findCampaign }),
    updateCampaign: createUpdateCampaign({ ...shared, findCampaign }),
    fillCampaign: createFillCampaign({ ...shared, findCampaign }),
    ...createRunCampaign({ ...shared, findCampaign }),
    watchCampaign,
  }
}

export const campaigns: Noun = {
  addRoutes: (add, { resolve }) => addCampaignRoutes(add, resolve(useCases)),
  addStreamRoutes: (add, { resolve }) => addCampaignStreamRoutes(add, resolve(useCases)),
  maintenance({ clock, resolve }) {
    const schedule = resolve(campaignClock)
    return [
      { intervalMs: secondMs, run: () => schedule.tick() },
      { intervalMs: minuteMs, run: () => schedule.prune() },
      { intervalMs: minuteMs, run: async () => ((await clock.look()) ? schedule.deleteUnconfirmed() : undefined) },
    ]
  },
}
