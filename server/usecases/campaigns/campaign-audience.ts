import { parseAddress } from '../../../contract/core/address.ts'
import { AppError, type ErrorCode } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import {
  deletedSentence,
  findDeletedReference,
  isEmptyAudience,
  noAudience,
  type AudienceCounts,
  type CampaignAudience,
  type LeftOutCounts,
} from '../../domain/campaigns/audience.ts'
import type { CampaignRow } from '../../domain/campaigns/campaign.ts'
import type { FieldValue } from '../../domain/contacts/field-value.ts'
import type { CampaignAudienceStore } from '../../store/campaigns/campaign-audience.ts'
import type { ContactFieldStore } from '../../store/contacts/contact-field.ts'
import type { RuleContextStore, WorkspaceRules } from '../../store/segments/rule-context.ts'
import type { CampaignService } from './campaign-service.ts'

interface Ports {
  audiences: CampaignAudienceStore
  ruleContext: Pick<RuleContextStore, 'read'>
  fields: Pick<ContactFieldStore, 'list'>
  findCampaign: CampaignService['findCampaign']
  now: () => Date
}

/** A contact of an audience, with the values of its fields by key. */
export interface AudiencePerson {
  id: number
  email: string
  context: Record<string, FieldValue>
}

export type CampaignAudienceService = ReturnType<typeof createCampaignAudienceService>

/** Checks, counts and lists the audiences of campaigns. */
export function createCampaignAudienceService({ audiences, ruleContext, fields, findCampaign, now }: Ports) {
  /** Distinct ids. Throws `list_not_found` and `segment_not_found` for ids that are not of this workspace. */
  const readAudience = async (scope: Scope, given: Partial<CampaignAudience>): Promise<CampaignAudience> => {
    const audience = distinctIds({ ...noAudience, ...given })
    if (isEmptyAudience(audience)) return audience
    checkKnown(audience, await ruleContext.read(scope, now()))
    return audience
  }

  const known = async (scope: Scope, given: Partial<CampaignAudience>): Promise<[CampaignAudience, WorkspaceRules]> => {
    const audience = distinctIds({ ...noAudience, ...given })
    const rules = await ruleContext.read(scope, now())
    checkKnown(audience, rules)
    return [audience, rules]
  }

  async function* countsOf(
    scope: Scope,
    [audience, rules]: readonly [CampaignAudience, WorkspaceRules],
    keys: readonly string[] | null,
    campaignId: string | null,
  ): AsyncGenerator<AudienceCounts> {
    const estimate = await audiences.estimate(scope, audience, rules)
    if (estimate !== null && keys !== null) yield withRecipients(estimate, keys.length)
    yield await audiences.count(scope, audience, rules, campaignId === null ? { keys: keys ?? [] } : { campaignId })
  }

  return {
    readAudience,

    /** Whether anyone of the audience gets the mail. */
    async hasPeople(scope: Scope, audience: CampaignAudience): Promise<boolean> {
      if (isEmptyAudience(audience)) return false
      const page = { afterId: 0, limit: 1, prefix: '' }
      return (await audiences.listPeople(scope, audience, await ruleContext.read(scope, now()), page)).rows.length > 0
    },

    /** Throws `audience_broken` with the name of a deleted field, list or segment that the audience refers to. */
    async refuseBroken(scope: Scope, audience: CampaignAudience): Promise<void> {
      const sentence = await this.findBroken(scope, audience)
      if (sentence !== null) throw new AppError('audience_broken', { detail: sentence })
    },

    /** Which deleted field, list or segment the audience refers to, and what to do; null where it is complete. */
    async findBroken(scope: Scope, audience: CampaignAudience): Promise<string | null> {
      if (isEmptyAudience(audience)) return null
      const deleted = findDeletedReference(audience, (await ruleContext.read(scope, now())).context)
      if (deleted === null) return null
      const { name, segmentName } = await audiences.findNames(scope, deleted)
      return deletedSentence(deleted, name, deleted.segmentId === null ? null : (segmentName ?? ''))
    },

    /** An estimate where there are many contacts, then the exact number. Throws `list_not_found`, `segment_not_found`. */
    async countAudience(
      scope: Scope,
      given: Partial<CampaignAudience>,
      recipients: readonly string[],
    ): Promise<AsyncGenerator<AudienceCounts>> {
      return countsOf(scope, await known(scope, given), keysOf(recipients), null)
    },

    /** Contacts who get the mail. Throws `list_not_found`, `segment_not_found`. */
    async listAudiencePeople(
      scope: Scope,
      given: Partial<CampaignAudience>,
      { query, ...page }: { query: string; afterId: number; limit: number },
    ): Promise<{ people: AudiencePerson[]; nextId: number | null }> {
      const [audience, rules] = await known(scope, given)
      const prefix = query.trim().toLowerCase()
      const [definitions, { rows, nextId }] = await Promise.all([
        fields.list(scope),
        audiences.listPeople(scope, audience, rules, { ...page, prefix }),
      ])
      const keys = new Map(definitions.map(({ no, key }) => [String(no), key]))
      const people = rows.map(({ id, email, fields: values }) => ({
        id,
        email,
        context: Object.fromEntries(
          Object.entries(values).flatMap(([no, value]) => {
            const key = keys.get(no)
            return key === undefined ? [] : [[key, value]]
          }),
        ),
      }))
      return { people, nextId }
    },

    /**
     * The audience of a campaign, evaluated now; after its launch, what became of its people. Throws `campaign_not_found`.
     */
    async watchCampaignAudience(scope: Scope, id: string): Promise<AsyncGenerator<AudienceCounts>> {
      const campaign = await findCampaign(scope, id)
      if (campaign.leftOut !== null) return filledCounts(campaign, campaign.leftOut)
      return countsOf(scope, [campaign.audience, await ruleContext.read(scope, now())], null, id)
    },
  }
}

async function* filledCounts({ counts }: CampaignRow, leftOut: LeftOutCounts): AsyncGenerator<AudienceCounts> {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  yield await Promise.resolve({
    isEstimate: false,
    count: all - counts.suppressed,
    sources: [],
    overlapCount: leftOut.duplicate ?? 0,
    leftOut: {
      ...leftOut,
      ...(counts.suppressed > 0 && { suppressed: (leftOut.suppressed ?? 0) + counts.suppressed }),
    },
  })
}

function withRecipients(counts: AudienceCounts, addedCount: number): AudienceCounts {
  if (addedCount === 0) return counts
  const sources = [...counts.sources, { kind: 'recipients' as const, id: null, count: addedCount }]
  return { ...counts, sources, count: counts.count + addedCount }
}

/** Keys of distinct addresses; what is no address is left out. */
function keysOf(recipients: readonly string[]): string[] {
  const keys = recipients.flatMap((text) => {
    const parsed = parseAddress(text)
    return parsed.ok ? [parsed.key] : []
  })
  return [...new Set(keys)]
}

function distinctIds(audience: CampaignAudience): CampaignAudience {
  return {
    listIds: [...new Set(audience.listIds)],
    segmentIds: [...new Set(audience.segmentIds)],
    excludeListIds: [...new Set(audience.excludeListIds)],
    excludeSegmentIds: [...new Set(audience.excludeSegmentIds)],
  }
}

function checkKnown(
  { listIds, segmentIds, excludeListIds, excludeSegmentIds }: CampaignAudience,
  { context }: WorkspaceRules,
): void {
  const check = (code: ErrorCode, ids: readonly string[], isKnown: (id: string) => boolean) => {
    if (!ids.every((id) => isKnown(id))) throw new AppError(code)
  }
  check('list_not_found', [...listIds, ...excludeListIds], (id) => context.lists.has(id))
  check('segment_not_found', [...segmentIds, ...excludeSegmentIds], (id) => context.segments.has(id))
}
