import { eventKinds, verdicts, type EventName, type Verdict } from '../../../contract/results/event.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type {
  ActCounts,
  CampaignStats,
  DomainCounts,
  HourCounts,
  LinkCounts,
  MailboxCounts,
  ReportRow,
} from '../../domain/reports/report.ts'
import type { Queryable } from '../core/database.ts'
import {
  bouncesSql,
  domainsSql,
  hoursSql,
  linksSql,
  mailboxesSql,
  statsSql,
  totalsSql,
  trackingSql,
} from './report.sql.ts'

/** Domains with a row of their own, and hours of the curve. */
const domainsMaxCount = 50
const hoursMaxCount = 2000

interface TotalRow {
  kind: number
  verdict: Verdict
  events: number
  people: number
}

export type ReportStore = ReturnType<typeof createReportStore>

/** Reports of campaigns, read from the counts that the digest keeps. */
export function createReportStore(pool: Queryable) {
  const query = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
    (await pool.query<Row>(text, values)).rows

  return {
    /** What became of a campaign. Counts are of mails; test mails have none. */
    async read({ workspaceId }: Scope, campaignId: string): Promise<ReportRow> {
      const key = [workspaceId, campaignId]
      const [modes, totals, bounces, hours, domains, mailboxes, links] = await Promise.all([
        query<{ tracking: TrackingMode }>(trackingSql, key),
        query<TotalRow>(totalsSql, key),
        query<{ reason: string; people: number; later: number }>(bouncesSql, key),
        query<HourCounts>(hoursSql, [...key, hoursMaxCount]),
        query<DomainCounts>(domainsSql, [...key, domainsMaxCount]),
        query<MailboxCounts>(mailboxesSql, key),
        query<LinkCounts>(linksSql, key),
      ])
      const peopleOf = (name: EventName) => peopleIn(totals, name)
      return {
        tracking: modes[0]?.tracking ?? 'off',
        opened: actOf(totals, 'opened'),
        clicked: actOf(totals, 'clicked'),
        replied: peopleOf('replied'),
        autoReplied: peopleOf('auto_replied'),
        bounced: peopleOf('bounced'),
        bouncedLater: bounces.reduce((sum, { later }) => sum + later, 0),
        complained: peopleOf('complained'),
        unsubscribed: peopleOf('unsubscribed'),
        bounces: bounces.map(({ reason, people }) => ({ reason, people })),
        hours,
        domains,
        mailboxes,
        links,
      }
    },

    /** Figures of campaigns by id. */
    async readStats({ workspaceId }: Scope, campaignIds: readonly string[]): Promise<Map<string, CampaignStats>> {
      if (campaignIds.length === 0) return new Map()
      const rows = await query<{ id: string; tracking: TrackingMode; people: Record<string, number> }>(statsSql, [
        workspaceId,
        campaignIds,
      ])
      return new Map(
        rows.map(({ id, tracking, people }) => {
          const of = (name: EventName) => people[String(eventKinds[name])] ?? 0
          const stats = {
            tracking,
            opened: of('opened'),
            clicked: of('clicked'),
            replied: of('replied'),
            bounced: of('bounced'),
            unsubscribed: of('unsubscribed'),
            machineOpens: people[`${eventKinds.opened}m`] ?? 0,
          }
          return [id, stats]
        }),
      )
    },

    /** Changes whenever a count of the source does. */
    async readVersion({ workspaceId }: Scope, sourceId: string): Promise<string> {
      const [row] = await query<{ version: string }>(
        `select coalesce(sum(n), 0) || ' ' || coalesce(string_agg(kind || '-' || verdict || '-' || people, ' '
           order by variant_no, kind, verdict), '') as version
         from source_counts where workspace_id = $1 and source_id = $2`,
        [workspaceId, sourceId],
      )
      return row?.version ?? ''
    },
  }
}

function peopleIn(totals: readonly TotalRow[], name: EventName): number {
  return totals.find((row) => row.verdict === verdicts.human && row.kind === eventKinds[name])?.people ?? 0
}

function actOf(totals: readonly TotalRow[], name: EventName): ActCounts {
  const ofKind = totals.filter(({ kind }) => kind === eventKinds[name])
  const of = (verdict: Verdict) => ofKind.find((row) => row.verdict === verdict)
  const probable = of(verdicts.probable)?.people ?? 0
  return {
    people: of(verdicts.human)?.people ?? 0,
    events: of(verdicts.human)?.events ?? 0,
    machines: probable + (of(verdicts.machine)?.people ?? 0),
    probable,
  }
}
