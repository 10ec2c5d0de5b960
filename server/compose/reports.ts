import { addReportRecipientRoutes } from '../http/reports/recipient.ts'
import { addReportRoutes } from '../http/reports/report.ts'
import { createRecipientList } from '../store/campaigns/recipient-list.ts'
import { createRecipientTimeline } from '../store/reports/recipient-timeline.ts'
import { createGetCampaignRecipient } from '../usecases/reports/campaign-recipient.ts'
import { createCampaignReports } from '../usecases/reports/campaign-report.ts'
import { campaignUseCases } from './campaigns.ts'
import { liveStreams } from './live.ts'
import { getMessageContent } from './messages.ts'
import { reportStore } from './stores/reports.ts'
import type { Noun, ServerParts } from './core/parts.ts'

function useCases({ database, now, resolve }: ServerParts) {
  const { findCampaign } = resolve(campaignUseCases)
  return {
    ...createCampaignReports({ reports: resolve(reportStore), findCampaign, now, live: resolve(liveStreams) }),
    getCampaignRecipient: createGetCampaignRecipient({
      findCampaign,
      recipientList: createRecipientList(database.pool),
      readTimeline: createRecipientTimeline(database.pool),
      getMessageContent: resolve(getMessageContent),
    }),
  }
}

export const reports: Noun = {
  addRoutes(add, parts) {
    const calls = useCases(parts)
    addReportRoutes(add, calls)
    addReportRecipientRoutes(add, { ...parts.resolve(campaignUseCases), ...calls })
  },
}
