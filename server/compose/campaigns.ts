import { authorize, authorizeAll } from '../domain/auth/authorize.ts'
import { addCampaignAudienceRoutes } from '../http/campaigns/campaign-audience.ts'
import { addCampaignLifecycleRoutes } from '../http/campaigns/campaign-lifecycle.ts'
import { addCampaignRecipientRoutes, addCampaignStreamRoutes } from '../http/campaigns/campaign-recipients.ts'
import { addCampaignRoutes } from '../http/campaigns/campaign.ts'
import { createCampaignScheduler } from '../store/campaigns/campaign-scheduler.ts'
import { createRecipientList } from '../store/campaigns/recipient-list.ts'
import { createListStore } from '../store/lists/list.ts'
import { createSaveRecipientsAsList } from '../usecases/campaigns/save-recipients-as-list.ts'
import { createCampaignRecipients } from '../store/campaigns/campaign-recipient.ts'
import { createCampaignAudienceStore } from '../store/campaigns/campaign-audience.ts'
import { createCampaignFillStore } from '../store/campaigns/campaign-fill.ts'
import { createCampaignStore } from '../store/campaigns/campaign.ts'
import { createRuleContextStore } from '../store/segments/rule-context.ts'
import { createCampaignAttachments } from '../usecases/campaigns/campaign-attachments.ts'
import { createCampaignAudienceService } from '../usecases/campaigns/campaign-audience.ts'
import { createRefuseLargeCampaign } from '../usecases/campaigns/campaign-size.ts'
import { createAddCampaignRecipients } from '../usecases/campaigns/add-campaign-recipients.ts'
import { createCampaignService } from '../usecases/campaigns/campaign-service.ts'
import { createCampaignLifecycle } from '../usecases/campaigns/campaign-lifecycle.ts'
import { createCampaignMailboxes } from '../usecases/campaigns/campaign-mailboxes.ts'
import { createLaunchCampaign } from '../usecases/campaigns/launch-campaign.ts'
import { createTestCampaign } from '../usecases/campaigns/test-campaign.ts'
import { createWatchCampaign } from '../usecases/campaigns/watch-campaign.ts'
import { createFillCampaigns } from '../usecases/campaigns/fill-campaign.ts'
import { createCreateCampaign } from '../usecases/campaigns/create-campaign.ts'
import { createResendCampaign } from '../usecases/campaigns/resend-campaign.ts'
import { createDuplicateCampaign } from '../usecases/campaigns/duplicate-campaign.ts'
import { createEstimateLaunch } from '../usecases/campaigns/estimate-launch.ts'
import { createUpdateCampaign } from '../usecases/campaigns/update-campaign.ts'
import type { Scope } from '../domain/auth/scope.ts'
import { attachmentService } from './files/attachments.ts'
import { fieldStore } from './contacts.ts'
import { logFailure } from './core/log-failure.ts'
import { minuteMs, secondMs, type Noun, type Parts, type ServerParts } from './core/parts.ts'
import { estimator } from './quota.ts'
import { reportStore } from './stores/reports.ts'
import { mailboxStores } from './stores/mailboxes.ts'
import { messageStores } from './stores/messages.ts'
import { templateStore } from './templates.ts'
import { trackingStore } from './tracking.ts'
import { createSetCampaignTracking } from '../usecases/tracking/campaign-tracking.ts'
import { workspaceStore } from './workspaces.ts'

/** Wakes the worker that prepares campaigns, once there is one. */
const fillSignal = (): { wake: () => void } => ({ wake: () => undefined })

const campaignScheduler = ({ database }: Parts) => createCampaignScheduler(database.pool)

/** The use cases of campaigns. */
export function campaignUseCases({
  database,
  vault,
  newId,
  now,
  tickMs,
  publicUrl,
  log,
  wakeSender,
  onStop,
  resolve,
}: ServerParts) {
  const campaigns = createCampaignStore(database, newId, () => vault.mailKeyId())
  const recipients = createCampaignRecipients(database.pool)
  const recipientList = createRecipientList(database.pool)
  const shared = {
    campaigns,
    recipients,
    recipientList,
    estimator: resolve(estimator),
    mailboxes: resolve(mailboxStores).mailboxes,
    messages: resolve(messageStores).messages,
    templates: resolve(templateStore),
    attachments: resolve(attachmentService),
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
  const [fills, ruleContext] = [createCampaignFillStore(database), createRuleContextStore(database)]
  const fields = resolve(fieldStore)
  const audience = createCampaignAudienceService({
    audiences: createCampaignAudienceStore(database),
    ruleContext,
    fields,
    findCampaign,
    now,
  })
  const { readAudience } = audience
  const campaignMailboxes = createCampaignMailboxes(shared)
  const fill = createFillCampaigns({
    ...shared,
    fills,
    claim: (owner, at, until) => fills.claim(authorizeAll({ kind: 'system', task: 'campaigns' }), owner, at, until),
    findCampaign,
    audiences: audience,
    ruleContext,
    fields,
    campaignMailboxes,
    scopeOf: (workspaceId) => authorize({ kind: 'system', task: 'campaigns' }, 'campaigns:launch', workspaceId),
    onError: logFailure(log, 'The preparation of a campaign failed'),
  })
  const signal = resolve(fillSignal)
  signal.wake = fill.wake
  fill.start()
  onStop(() => fill.close())
  const { watchCampaign, close } = createWatchCampaign({ getCampaign, tickMs })
  onStop(close)
  const ports = {
    ...shared,
    findCampaign,
    readAudience,
    audiences: audience,
    campaignMailboxes,
    wakeFill: fill.wake,
  }
  const createCampaign = createCreateCampaign(ports)
  const addCampaignRecipients = createAddCampaignRecipients(ports)
  const files = createCampaignAttachments(ports)
  const setCampaignTracking = createSetCampaignTracking({ tracking: resolve(trackingStore), findCampaign })
  const reports = resolve(reportStore)
  return {
    ...campaignService,
    ...audience,
    ...files,
    createCampaign,
    duplicateCampaign: createDuplicateCampaign({ ...ports, createCampaign, addCampaignRecipients }),
    resendCampaign: createResendCampaign({
      ...ports,
      ...files,
      reports,
      createCampaign,
      addCampaignRecipients,
      setCampaignTracking,
    }),
    estimateLaunch: createEstimateLaunch(ports),
    updateCampaign: createUpdateCampaign(ports),
    addCampaignRecipients,
    launchCampaign: createLaunchCampaign(ports),
    testCampaign: createTestCampaign(ports),
    setCampaignTracking,
    ...createCampaignLifecycle(ports),
    readCampaignStats: (scope: Scope, ids: readonly string[]) => reports.readStats(scope, ids),
    saveRecipientsAsList: createSaveRecipientsAsList({ ...ports, lists: createListStore(database) }),
    watchCampaign,
  }
}

export const campaigns: Noun = {
  addRoutes(add, { resolve }) {
    addCampaignRoutes(add, resolve(campaignUseCases))
    addCampaignAudienceRoutes(add, resolve(campaignUseCases))
    addCampaignRecipientRoutes(add, resolve(campaignUseCases))
    addCampaignLifecycleRoutes(add, resolve(campaignUseCases))
  },
  addStreamRoutes: (add, { resolve }) => addCampaignStreamRoutes(add, resolve(campaignUseCases)),
  maintenance({ clock, resolve }, system) {
    const scheduler = resolve(campaignScheduler)
    return [
      {
        intervalMs: secondMs,
        run: async () => {
          if (await scheduler.advance(system)) resolve(fillSignal).wake()
        },
      },
      { intervalMs: minuteMs, run: () => scheduler.prune(system) },
      {
        intervalMs: minuteMs,
        run: async () => ((await clock.correct()) ? scheduler.deleteUnconfirmed(system) : undefined),
      },
    ]
  },
}
