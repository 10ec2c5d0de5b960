import { Readable } from 'node:stream'
import * as contract from '../../../contract/mail/campaign.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { listDefaultCount } from '../../../contract/core/limits.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { QueryOf } from '../../../contract/core/operation.ts'
import { totalCountHeader } from '../../../contract/core/paging.ts'
import type {
  CampaignCounts,
  CampaignPage,
  CampaignRow,
  RecipientFilter,
  RecipientLine,
} from '../../domain/campaigns/campaign.ts'
import type { DeliveryRow } from '../../domain/messages/message.ts'
import { uniqueRecipients } from '../../domain/messages/unique-recipients.ts'
import type { ScheduleInput } from '../../usecases/campaigns/campaign-schedule.ts'
import type { AddedRecipients } from '../../usecases/campaigns/add-campaign-recipients.ts'
import type {
  CampaignWithEstimate,
  RecipientPage,
  UnfilledVariable,
} from '../../usecases/campaigns/campaign-service.ts'
import type { RetriedCounts } from '../../usecases/messages/retry-message.ts'
import type { CampaignInput, NewCampaignInput } from '../../usecases/campaigns/create-campaign.ts'
import { csvLine } from '../core/csv-line.ts'
import { eventStream } from '../core/event-stream.ts'
import { readPage, setPageHeaders } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { retriedSentence, sentSentence } from '../messages/response-messages.ts'
import { readCsvRecipients, readJsonRecipients } from './stream-lines.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** Lines of an export are sent together: a chunk for each would cost more than its line. */
const csvChunkMinChars = 16_384

type Move = (scope: Scope, id: string, isRetry: boolean) => Promise<void>

/** The use-cases behind the campaign calls. */
export interface CampaignUseCases {
  listCampaigns: (scope: Scope, page: CampaignPage) => Promise<{ rows: CampaignWithEstimate[]; total: number }>
  listCampaignRecipients: (
    scope: Scope,
    id: string,
    page: RecipientPage,
  ) => Promise<{ rows: DeliveryRow[]; total: number }>
  exportCampaignRecipients: (scope: Scope, id: string, filter: RecipientFilter) => Promise<AsyncIterable<DeliveryRow>>
  getCampaign: (scope: Scope, id: string) => Promise<CampaignWithEstimate>
  listUnfilledVariables: (scope: Scope, campaign: CampaignRow) => Promise<UnfilledVariable[]>
  createCampaign: (scope: Scope, input: NewCampaignInput, resourceId: string | null) => Promise<CampaignRow>
  updateCampaign: (scope: Scope, id: string, input: CampaignInput) => Promise<void>
  addCampaignRecipients: (scope: Scope, id: string, lines: AsyncIterable<RecipientLine>) => Promise<AddedRecipients>
  launchCampaign: (scope: Scope, id: string, schedule: ScheduleInput, isRetry: boolean) => Promise<void>
  pauseCampaign: Move
  resumeCampaign: Move
  cancelCampaign: Move
  retryCampaign: (scope: Scope, id: string) => Promise<RetriedCounts>
  deleteCampaign: (scope: Scope, id: string) => Promise<void>
  testCampaign: (
    scope: Scope,
    id: string,
    mail: { recipients: readonly string[]; context: MergeContext },
    resourceId: string | null,
  ) => Promise<{ messageId: string; acceptedCount: number; unfilledNames: string[] }>
  watchCampaign: (scope: Scope, id: string) => Promise<AsyncGenerator<CampaignWithEstimate>>
}

/** `/email/campaign` (spec §7; decisions, API). */
export function addCampaignRoutes(add: AddRoute, useCases: CampaignUseCases): void {
  const get = async (scope: Scope, id: string): Promise<contract.Campaign> => {
    const campaign = await useCases.getCampaign(scope, id)
    const unfilled = await useCases.listUnfilledVariables(scope, campaign)
    return {
      ...toCampaign(campaign),
      unfilled_variables: unfilled.map(({ name, recipientCount }) => ({ name, recipients: recipientCount })),
    }
  }

  add(contract.listEmailCampaigns, async ({ query, scope, reply }) => {
    const { status = null, search = null, with_body: withBody = true } = query
    const page = { ...readPage(query), status, search: search?.trim() ?? null, withBody }
    const found = await useCases.listCampaigns(scope, page)
    setPageHeaders(reply, found)
    return found.rows.map(toCampaign)
  })

  add(contract.createEmailCampaign, async ({ body, scope, resourceId }) => {
    const { recipients = [], template_id: templateId = null, staged: isStaged = false } = body
    refuseSegment(body)
    refuseBadRecipients(recipients)
    const input = { ...toInput(body), templateId, isStaged, recipients: recipients.map(readRecipient) }
    const { id, status } = await useCases.createCampaign(scope, input, resourceId)
    // Made before, by a call whose answer was lost, it may be beyond taking recipients by now.
    if (recipients.length > 0 && status === 'draft')
      await useCases.addCampaignRecipients(scope, id, linesOf(recipients))
    return get(scope, id)
  })

  add(contract.getEmailCampaign, ({ params, scope }) => get(scope, params.id))

  add(contract.updateEmailCampaign, async ({ params, body, scope }) => {
    await useCases.updateCampaign(scope, params.id, toInput(body))
    return get(scope, params.id)
  })

  add(contract.deleteEmailCampaign, async ({ params, scope }) => {
    await useCases.deleteCampaign(scope, params.id)
    return null
  })

  add(contract.listCampaignRecipients, async ({ params, query, scope, reply }) => {
    const page = { ...toFilter(query), limit: query.limit ?? listDefaultCount, offset: query.offset ?? 0 }
    const { rows, total } = await useCases.listCampaignRecipients(scope, params.id, page)
    void reply.header(totalCountHeader, total)
    return rows.map(toDelivery)
  })

  add(contract.exportCampaignRecipients, async ({ params, query, scope, reply }) => {
    const rows = await useCases.exportCampaignRecipients(scope, params.id, toFilter(query))
    void reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="recipients.csv"',
      'cache-control': 'no-store',
    })
    return Readable.from(csvOf(rows)) as never
  })

  add(contract.launchEmailCampaign, async ({ params, body, scope, isRetry }) => {
    const { scheduled_at: scheduledAt, timezone } = body
    await useCases.launchCampaign(scope, params.id, { scheduledAt, timezone }, isRetry)
    return get(scope, params.id)
  })

  const moves = [
    [contract.pauseEmailCampaign, useCases.pauseCampaign],
    [contract.resumeEmailCampaign, useCases.resumeCampaign],
    [contract.cancelEmailCampaign, useCases.cancelCampaign],
  ] as const
  for (const [operation, move] of moves) {
    add(operation, async ({ params, scope, isRetry }) => {
      await move(scope, params.id, isRetry)
      return get(scope, params.id)
    })
  }

  add(contract.retryEmailCampaign, async ({ params, scope }) => {
    const retried = await useCases.retryCampaign(scope, params.id)
    const { resentCount: resent, suppressedCount: suppressed } = retried
    return { ...(await get(scope, params.id)), message: retriedSentence(retried), resent, suppressed }
  })

  add(contract.testEmailCampaign, async ({ params, body, scope, resourceId }) => {
    const mail = { recipients: body.recipient_list, context: body.context ?? {} }
    const sent = await useCases.testCampaign(scope, params.id, mail, resourceId)
    return { message: sentSentence(sent.acceptedCount), id: sent.messageId, unfilled_variables: sent.unfilledNames }
  })
}

/** The calls whose body or answer is a stream. `add` is bound to where bodies arrive as streams. */
export function addCampaignStreamRoutes(add: AddRoute, useCases: CampaignUseCases): void {
  add(contract.addCampaignRecipients, async ({ params, body: given, scope, request }) => {
    const body: unknown = given
    if (!(body instanceof Readable)) throw new AppError('unsupported_media_type')
    const isCsv = /^text\/csv\b/i.test(request.headers['content-type'] ?? '')
    const lines = isCsv ? readCsvRecipients(body) : readJsonRecipients(body)
    const filled = await useCases.addCampaignRecipients(scope, params.id, lines)
    return {
      added: filled.addedCount,
      suppressed: filled.suppressedCount,
      duplicates: filled.duplicateCount,
      refused: filled.refusedCount,
      refusals: filled.refusals,
    }
  })

  add(contract.watchEmailCampaign, async ({ params, scope, reply }) => {
    const changes = await useCases.watchCampaign(scope, params.id)
    return eventStream(reply, 'progress', changes, toProgress)
  })
}

type GivenRecipients = NonNullable<contract.NewCampaign['recipients']>

const addressOf = (item: GivenRecipients[number]) => (typeof item === 'string' ? item : item.email)

const readRecipient = (item: GivenRecipients[number]) => ({
  email: addressOf(item),
  context: typeof item === 'string' ? null : (item.context ?? null),
})

/** Passed over in silence it would make a campaign to nobody (decisions/0020). */
function refuseSegment({ segment }: contract.NewCampaign): void {
  if (segment === undefined || segment === null) return
  const msg = 'segment is not taken; give recipients, or stream them in once the campaign is made'
  throw new AppError('validation', { items: [{ loc: ['body', 'segment'], msg, type: 'not_supported' }] })
}

/** As a send call does: all or none. */
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

async function* csvOf(rows: AsyncIterable<DeliveryRow>): AsyncGenerator<string> {
  let lines = csvLine(['email', 'state', 'reply', 'attempts', 'settled_at'])
  for await (const { recipient, state, reply, attempts, settledAt } of rows) {
    lines += csvLine([recipient, state, reply ?? '', String(attempts), settledAt?.toISOString() ?? ''])
    if (lines.length < csvChunkMinChars) continue
    yield lines
    lines = ''
  }
  yield lines
}

function toFilter({ state, search = '' }: QueryOf<typeof contract.exportCampaignRecipients>): RecipientFilter {
  const part = search.trim().toLowerCase()
  return { state: state ?? null, search: part === '' ? null : part }
}

function toInput(body: contract.CampaignChanges): CampaignInput {
  const { name, subject, body: html, context, config_id: mailboxId, config_ids: mailboxIds } = body
  return {
    ...(name !== undefined && { name }),
    ...(subject !== undefined && { subject }),
    ...(html !== undefined && { body: html }),
    ...(context && { context }),
    scheduledAt: body.scheduled_at,
    timezone: body.timezone,
    mailboxIds: mailboxIds ?? (mailboxId === undefined ? undefined : [mailboxId]),
  }
}

function toCounts(counts: CampaignCounts): contract.Campaign['counts'] {
  return { total: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts }
}

function toDelivery(row: DeliveryRow): contract.CampaignDelivery {
  return {
    recipient: row.recipient,
    state: row.state,
    attempts: row.attempts,
    reply: row.reply,
    next_attempt_at: row.state === 'deferred' ? row.nextAttemptAt.toISOString() : null,
    settled_at: row.settledAt?.toISOString() ?? null,
  }
}

function toProgress({ status, counts, finishesAt }: CampaignWithEstimate): contract.Progress {
  return { status, counts: toCounts(counts), finishes_at: finishesAt?.toISOString() ?? null }
}

function toCampaign(row: CampaignWithEstimate): contract.Campaign {
  return {
    id: row.id,
    name: row.name,
    subject: row.subject,
    body: row.body,
    context: row.context,
    config_id: row.mailboxIds[0] ?? '',
    config_ids: [...row.mailboxIds],
    template_id: row.templateId,
    status: row.status,
    staged: row.stagedAt !== null,
    status_reason: row.statusReason,
    scheduled_at: row.scheduledAt?.toISOString() ?? null,
    timezone: row.timezone,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    finishes_at: row.finishesAt?.toISOString() ?? null,
    counts: toCounts(row.counts),
  }
}
