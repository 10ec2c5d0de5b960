import { addCampaignAudienceRoutes } from '../http/campaigns/campaign-audience.ts'
import { addCampaignLifecycleRoutes } from '../http/campaigns/campaign-lifecycle.ts'
import { addCampaignRecipientRoutes, addCampaignStreamRoutes } from '../http/campaigns/campaign-recipients.ts'
import { addCampaignRoutes } from '../http/campaigns/campaign.ts'
import { createCampaignScheduler } from '../store/campaigns/campaign-scheduler.ts'
import { createCampaignRecipients } from '../store/campaigns/campaign-recipient.ts'
import { createCampaignAudienceStore } from '../store/campaigns/campaign-audience.ts'
import { createCampaignStore } from '../store/campaigns/campaign.ts'
import { createRuleContextStore } from '../store/segments/rule-context.ts'
import { createCampaignAudienceService } from '../usecases/campaigns/campaign-audience.ts'
import { createRefuseLargeCampaign } from '../usecases/campaigns/campaign-size.ts'
import { createAddCampaignRecipients } from '../usecases/campaigns/add-campaign-recipients.ts'
import { createCampaignService } from '../usecases/campaigns/campaign-service.ts'
import { createCampaignLifecycle } from '../usecases/campaigns/campaign-lifecycle.ts'
import { createCampaignMailboxes } from '../usecases/campaigns/campaign-mailboxes.ts'
import { createLaunchCampaign } from '../usecases/campaigns/launch-campaign.ts'
import { createTestCampaign } from '../usecases/campaigns/test-campaign.ts'
import { createWatchCampaign } from '../usecases/campaigns/watch-campaign.ts'
import { createCreateCampaign } from '../usecases/campaigns/create-campaign.ts'
import { createUpdateCampaign } from '../usecases/campaigns/update-campaign.ts'
import { fieldStore } from './contacts.ts'
import { minuteMs, secondMs, type Noun, type Parts, type ServerParts } from './core/parts.ts'
import { estimator } from './quota.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'
import { templateStore } from './templates.ts'
import { workspaceStore } from './workspaces.ts'

const campaignScheduler = ({ database }: Parts) => createCampaignScheduler(database.pool)

function useCases({ database, newId, now, tickMs, publicUrl, wakeSender, onStop, resolve }: ServerParts) {
  const campaigns = createCampaignStore(database, newId)
  const recipients = createCampaignRecipients(database.pool)
  const shared = {
    campaigns,
    recipients,
    estimator: resolve(estimator),
    mailboxes: resolve(mailboxStores).mailboxes,
    messages: resolve(messageStores).messages,
    templates: resolve(templateStore),
    workspaces: resolve(workspaceStore),
    scheduler: resolve(campaignScheduler),
    refuseLargeCampaign: createRefuseLargeCampaign({ recipients, publicUrl }),
    newId,
    now,
    publicUrl,
    wakeSender,
  }
  const campaignService = createCampaignService(shared)
  const { findCampaign, getCampaign } = campaignService
  const audience = createCampaignAudienceService({
    audiences: createCampaignAudienceStore(database),
    ruleContext: createRuleContextStore(database),
    fields: resolve(fieldStore),
    findCampaign,
    now,
  })
  const { readAudience } = audience
  const { watchCampaign, close } = createWatchCampaign({ getCampaign, tickMs })
  onStop(close)
  const ports = { ...shared, findCampaign, readAudience, campaignMailboxes: createCampaignMailboxes(shared) }
  return {
    ...campaignService,
    ...audience,
    createCampaign: createCreateCampaign(ports),
    updateCampaign: createUpdateCampaign(ports),
    addCampaignRecipients: createAddCampaignRecipients(ports),
    launchCampaign: createLaunchCampaign(ports),
    testCampaign: createTestCampaign(ports),
    ...createCampaignLifecycle(ports),
    watchCampaign,
  }
}

export const campaigns: Noun = {
  addRoutes(add, { resolve }) {
    addCampaignRoutes(add, resolve(useCases))
    addCampaignAudienceRoutes(add, resolve(useCases))
    addCampaignRecipientRoutes(add, resolve(useCases))
    addCampaignLifecycleRoutes(add, resolve(useCases))
  },
  addStreamRoutes: (add, { resolve }) => addCampaignStreamRoutes(add, resolve(useCases)),
  maintenance({ clock, resolve }, system) {
    const scheduler = resolve(campaignScheduler)
    return [
      { intervalMs: secondMs, run: () => scheduler.advance(system) },
      { intervalMs: minuteMs, run: () => scheduler.prune(system) },
      {
        intervalMs: minuteMs,
        run: async () => ((await clock.correct()) ? scheduler.deleteUnconfirmed(system) : undefined),
      },
    ]
  },
}
