import * as contract from '../../../contract/results/report.ts'
import type { CampaignReportRow, SharedCounts } from '../../domain/reports/report.ts'
import type { createCampaignReports } from '../../usecases/reports/campaign-report.ts'
import { eventStream } from '../core/event-stream.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the report calls. */
export type ReportUseCases = Pick<ReturnType<typeof createCampaignReports>, 'getReport' | 'watchReport'>

/** Reports of campaigns. */
export function addReportRoutes(add: AddRoute, { getReport, watchReport }: ReportUseCases): void {
  add(contract.getCampaignReport, async ({ params, scope }) => toReport(await getReport(scope, params.id)))

  add(contract.watchCampaignReport, async ({ params, scope, reply }) =>
    eventStream(reply, 'report', await watchReport(scope, params.id), toReport),
  )
}

const shared = ({ sent, opened, clicked, bounced, unsubscribed }: SharedCounts) => ({
  sent,
  opened,
  clicked,
  bounced,
  unsubscribed,
})

function toReport(row: CampaignReportRow): contract.CampaignReport {
  return {
    ...toWire(row, ['tracking', 'sent', 'delivered', 'opened', 'clicked', 'replied', 'autoReplied', 'bounced']),
    ...toWire(row, ['complained', 'unsubscribed', 'bounces', 'links', 'updatedAt']),
    hours: row.hours.map((hour) => ({
      ...toWire(hour, [
        ...(['at', 'opened', 'machineOpens', 'clicked', 'machineClicks', 'replied', 'autoReplies'] as const),
        'unsubscribed',
      ]),
    })),
    domains: row.domains.map((domain) => ({ ...toWire(domain, ['domain', 'domains']), ...shared(domain) })),
    mailboxes: row.mailboxes.map((mailbox) => ({
      ...toWire(mailbox, ['configId', 'emailAddress']),
      ...shared(mailbox),
    })),
  }
}
