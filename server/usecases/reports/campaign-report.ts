import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignReportRow } from '../../domain/reports/report.ts'
import type { ReportStore } from '../../store/reports/report.ts'
import type { CampaignService } from '../campaigns/campaign-service.ts'
import type { LiveStreams } from '../core/live-streams.ts'

interface Ports {
  reports: Pick<ReportStore, 'read' | 'readVersion'>
  findCampaign: CampaignService['findCampaign']
  now: () => Date
  live: Pick<LiveStreams, 'stream'>
}

/** Reads and watches the reports of campaigns. Throw `campaign_not_found`. */
export function createCampaignReports({ reports, findCampaign, now, live }: Ports) {
  const getReport = async (scope: Scope, id: string): Promise<CampaignReportRow> => {
    const { counts } = await findCampaign(scope, id)
    const report = await reports.read(scope, id)
    const delivered = Math.max(0, counts.sent - report.bouncedLater)
    return { ...report, sent: counts.sent, delivered, updatedAt: now() }
  }

  const readVersion = async (scope: Scope, id: string): Promise<string> => {
    const { counts, status } = await findCampaign(scope, id)
    return `${status} ${counts.sent} ${counts.failed} ${await reports.readVersion(scope, id)}`
  }

  return {
    getReport,
    /** The report now and after each change. */
    watchReport: (scope: Scope, id: string): Promise<AsyncGenerator<CampaignReportRow>> =>
      live.stream(scope.workspaceId, async (shown) => {
        // Read first, so that a change while the report is read is noticed.
        const version = await readVersion(scope, id)
        return { version, value: version === shown ? null : await getReport(scope, id) }
      }),
  }
}
