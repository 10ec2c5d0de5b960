import { Readable } from 'node:stream'
import { watchEmailCampaign, type Progress } from '../../../contract/mail/campaign-lifecycle.ts'
import * as contract from '../../../contract/mail/campaign-recipient.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { QueryOf } from '../../../contract/core/operation.ts'
import type { RecipientFilter } from '../../domain/campaigns/campaign.ts'
import type { DeliveryRow } from '../../domain/messages/message.ts'
import type { CampaignWithEstimate } from '../../usecases/campaigns/campaign-service.ts'
import { csvLine } from '../core/csv-line.ts'
import { eventStream } from '../core/event-stream.ts'
import { answerPage, readIdPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { toCounts, type CampaignUseCases } from './campaign.ts'
import { readCsvRecipients, readJsonRecipients } from './stream-lines.ts'
import { toWire } from '../core/wire.ts'

/** Lines of an export are sent in chunks; a chunk per line costs more than its line. */
const csvChunkMinChars = 16_384

/** Routes that list and export the recipients of a campaign. */
export function addCampaignRecipientRoutes(add: AddRoute, useCases: CampaignUseCases): void {
  add(contract.listCampaignRecipients, async ({ params, query, scope, reply }) => {
    const page = { ...toFilter(query), ...readIdPage(query) }
    return answerPage(reply, await useCases.listCampaignRecipients(scope, params.id, page), toDelivery)
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
}

/** Routes whose body or answer is a stream; `add` passes bodies as streams. */
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

  add(watchEmailCampaign, async ({ params, scope, reply }) => {
    const changes = await useCases.watchCampaign(scope, params.id)
    return eventStream(reply, 'progress', changes, toProgress)
  })
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

export function toDelivery(row: DeliveryRow): contract.CampaignDelivery {
  return {
    ...toWire(row, ['recipient', 'state', 'attempts', 'reply', 'settledAt']),
    next_attempt_at: row.state === 'deferred' ? row.nextAttemptAt.toISOString() : null,
  }
}

function toProgress({ status, counts, finishesAt }: CampaignWithEstimate): Progress {
  return { status, counts: toCounts(counts), finishes_at: finishesAt?.toISOString() ?? null }
}
