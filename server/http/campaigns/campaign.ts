import * as contract from '../../../contract/mail/campaign.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { CampaignAudience } from '../../domain/campaigns/audience.ts'
import type { CampaignCounts, RecipientLine } from '../../domain/campaigns/campaign.ts'
import { uniqueRecipients } from '../../domain/messages/unique-recipients.ts'
import type { createAddCampaignRecipients } from '../../usecases/campaigns/add-campaign-recipients.ts'
import type { createCampaignAttachments } from '../../usecases/campaigns/campaign-attachments.ts'
import type { CampaignAudienceService } from '../../usecases/campaigns/campaign-audience.ts'
import type { CampaignLifecycle } from '../../usecases/campaigns/campaign-lifecycle.ts'
import type { CampaignService, CampaignWithEstimate } from '../../usecases/campaigns/campaign-service.ts'
import type { CampaignInput } from '../../usecases/campaigns/campaign-content.ts'
import type { createCreateCampaign } from '../../usecases/campaigns/create-campaign.ts'
import type { createDuplicateCampaign } from '../../usecases/campaigns/duplicate-campaign.ts'
import type { createEstimateLaunch } from '../../usecases/campaigns/estimate-launch.ts'
import type { LaunchCampaign } from '../../usecases/campaigns/launch-campaign.ts'
import type { createSaveRecipientsAsList } from '../../usecases/campaigns/save-recipients-as-list.ts'
import type { TestCampaign } from '../../usecases/campaigns/test-campaign.ts'
import type { createUpdateCampaign } from '../../usecases/campaigns/update-campaign.ts'
import type { createWatchCampaign } from '../../usecases/campaigns/watch-campaign.ts'
import type { SetCampaignTracking } from '../../usecases/tracking/campaign-tracking.ts'
import { answerPage, readPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import type { CampaignStats } from '../../domain/reports/report.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the campaign calls. */
export type CampaignUseCases = CampaignService &
  CampaignLifecycle &
  ReturnType<typeof createCampaignAttachments> & {
    createCampaign: ReturnType<typeof createCreateCampaign>
    updateCampaign: ReturnType<typeof createUpdateCampaign>
    addCampaignRecipients: ReturnType<typeof createAddCampaignRecipients>
    launchCampaign: LaunchCampaign
    duplicateCampaign: ReturnType<typeof createDuplicateCampaign>
    estimateLaunch: ReturnType<typeof createEstimateLaunch>
    testCampaign: TestCampaign
    setCampaignTracking: SetCampaignTracking
    saveRecipientsAsList: ReturnType<typeof createSaveRecipientsAsList>
    /** Figures of campaigns by id. */
    readCampaignStats: (scope: Scope, ids: readonly string[]) => Promise<Map<string, CampaignStats>>
    watchCampaign: ReturnType<typeof createWatchCampaign>['watchCampaign']
  } & Pick<CampaignAudienceService, 'countAudience' | 'listAudiencePeople' | 'watchCampaignAudience'>

/** `/email/campaign` (spec §7; decisions, API). */
export function addCampaignRoutes(add: AddRoute, useCases: CampaignUseCases): void {
  add(contract.listEmailCampaigns, async ({ query, scope, reply }) => {
    const { status = null, search = null, with_body: withBody = true, sort = 'created', order = 'desc' } = query
    const page = { ...readPage(query), status, search: search?.trim() ?? null, withBody, sort, order }
    const found = await useCases.listCampaigns(scope, page)
    const stats = await useCases.readCampaignStats(
      scope,
      found.rows.map(({ id }) => id),
    )
    return answerPage(reply, found, (row) => ({ ...toCampaign(row), stats: toStats(row, stats.get(row.id)) }))
  })

  add(contract.createEmailCampaign, async ({ body, scope, resourceId }) => {
    const { recipients = [], template_id: templateId = null, staged: isStaged = false } = body
    refuseBadRecipients(recipients)
    const files = await useCases.readCampaignFiles(scope, body.attachments ?? [], templateId)
    const input = { ...toInput(body), templateId, isStaged, recipients: recipients.map(readRecipient) }
    const { id, status } = await useCases.createCampaign(scope, input, resourceId)
    if (status === 'draft') await useCases.setCampaignTracking(scope, id, toTracking(body))
    if (files.length > 0 && status === 'draft') await useCases.setCampaignFiles(scope, id, files)
    // A campaign that an earlier attempt created may have started since.
    if (recipients.length > 0 && status === 'draft')
      await useCases.addCampaignRecipients(scope, id, linesOf(recipients))
    return getAnswer(useCases, scope, id)
  })

  add(contract.getEmailCampaign, ({ params, scope }) => getAnswer(useCases, scope, params.id))

  add(contract.updateEmailCampaign, async ({ params, body, scope }) => {
    const { revision = null } = body
    await useCases.requireRevision(scope, params.id, revision)
    await useCases.setCampaignTracking(scope, params.id, toTracking(body))
    const files = body.attachments && (await useCases.readCampaignFiles(scope, body.attachments, null))
    await useCases.updateCampaign(scope, params.id, toInput(body), revision)
    if (files) await useCases.setCampaignFiles(scope, params.id, files)
    return getAnswer(useCases, scope, params.id)
  })

  add(contract.deleteEmailCampaign, ({ params, scope }) => useCases.deleteCampaign(scope, params.id))
}

/** A campaign with its unfilled variables. Throws `campaign_not_found`. */
export async function getAnswer(
  useCases: Pick<CampaignUseCases, 'getCampaign' | 'listUnfilledVariables' | 'listCampaignFiles'>,
  scope: Scope,
  id: string,
): Promise<contract.Campaign> {
  const campaign = await useCases.getCampaign(scope, id)
  const unfilled = await useCases.listUnfilledVariables(scope, campaign)
  const files = await useCases.listCampaignFiles(scope, id)
  return {
    ...toCampaign(campaign),
    attachments: files.map(({ filename, sizeBytes }) => ({ filename, size: sizeBytes })),
    design: campaign.design,
    unfilled_variables: unfilled.map(({ name, recipientCount }) => ({ name, recipients: recipientCount })),
  }
}

type GivenRecipients = NonNullable<contract.NewCampaign['recipients']>

const addressOf = (item: GivenRecipients[number]) => (typeof item === 'string' ? item : item.email)

const readRecipient = (item: GivenRecipients[number]) => ({
  email: addressOf(item),
  context: typeof item === 'string' ? null : (item.context ?? null),
})

/** Refuses the whole list where one address is invalid, as send calls do. */
function refuseBadRecipients(list: GivenRecipients): void {
  const recipients = uniqueRecipients(list.map(addressOf))
  if (recipients.ok) return
  const items = recipients.refused.map(({ index, problem, sentence }) => ({
    loc: ['body', 'recipients', index],
    msg: sentence,
    type: `address_${problem}`,
  }))
  throw new AppError('validation', { items })
}

async function* linesOf(list: GivenRecipients): AsyncGenerator<RecipientLine> {
  for (const [index, item] of list.entries()) {
    yield await Promise.resolve({ line: index + 1, ...readRecipient(item) })
  }
}

const toTracking = ({ tracking, utm, frequency_exempt: frequencyExempt }: contract.CampaignChanges) => ({
  tracking,
  utm,
  frequencyExempt,
})

function toInput(body: contract.CampaignChanges): CampaignInput {
  const { name, subject, body: html, context, config_id: mailboxId, config_ids: mailboxIds } = body
  return {
    ...(name !== undefined && { name }),
    ...(subject !== undefined && { subject }),
    ...(html !== undefined && { body: html }),
    ...(context && { context }),
    ...(body.design !== undefined && { design: body.design }),
    ...(body.mode && { mode: body.mode }),
    ...(body.preheader !== undefined && { preheader: body.preheader }),
    ...(body.kind && { kind: body.kind }),
    fromName: body.from_name,
    replyTo: body.reply_to,
    scheduledAt: body.scheduled_at,
    timezone: body.timezone,
    mailboxIds: mailboxIds ?? (mailboxId === undefined ? undefined : [mailboxId]),
    audience: toAudience(body),
  }
}

type GivenAudience = Pick<
  contract.CampaignChanges,
  'list_ids' | 'segment_ids' | 'exclude_list_ids' | 'exclude_segment_ids' | 'segment'
>

/** The given parts of an audience; undefined where none is given. */
export function toAudience({ segment, ...given }: GivenAudience): Partial<CampaignAudience> | undefined {
  const short = segment === undefined || segment === null ? [] : [segment]
  const segmentIds = given.segment_ids || short.length > 0 ? [...(given.segment_ids ?? []), ...short] : undefined
  const audience = {
    ...(given.list_ids && { listIds: given.list_ids }),
    ...(segmentIds && { segmentIds }),
    ...(given.exclude_list_ids && { excludeListIds: given.exclude_list_ids }),
    ...(given.exclude_segment_ids && { excludeSegmentIds: given.exclude_segment_ids }),
  }
  return Object.keys(audience).length === 0 ? undefined : audience
}

export function toCounts(counts: CampaignCounts): contract.Campaign['counts'] {
  return { total: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts }
}

const noStats: CampaignStats = {
  tracking: 'off',
  opened: 0,
  clicked: 0,
  replied: 0,
  bounced: 0,
  unsubscribed: 0,
  machineOpens: 0,
}

function toStats({ counts }: CampaignWithEstimate, stats = noStats): NonNullable<contract.Campaign['stats']> {
  return {
    sent: counts.sent,
    ...toWire(stats, ['tracking', 'opened', 'clicked', 'replied', 'bounced', 'unsubscribed', 'machineOpens']),
  }
}

function toCampaign(row: CampaignWithEstimate): contract.Campaign {
  const isUndoable = row.status === 'scheduled' && row.undoUntil !== null
  return {
    ...toWire(row, ['mode', 'preheader', 'fromName', 'replyTo', 'kind', 'revision']),
    undo_until: isUndoable ? (row.undoUntil?.toISOString() ?? null) : null,
    ...toWire(row, ['id', 'name', 'subject', 'body', 'context', 'templateId', 'status', 'statusReason', 'timezone']),
    ...toWire(row, ['scheduledAt', 'createdAt', 'startedAt', 'finishedAt', 'finishesAt']),
    config_id: row.mailboxIds[0] ?? '',
    config_ids: [...row.mailboxIds],
    list_ids: [...row.audience.listIds],
    segment_ids: [...row.audience.segmentIds],
    exclude_list_ids: [...row.audience.excludeListIds],
    exclude_segment_ids: [...row.audience.excludeSegmentIds],
    staged: row.stagedAt !== null,
    tracking: row.tracking,
    utm: row.utm ?? {},
    frequency_exempt: row.frequencyExempt,
    counts: toCounts(row.counts),
  }
}
