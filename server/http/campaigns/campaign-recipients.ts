import { Readable } from 'node:stream'
import { watchEmailCampaign, type Progress } from '../../../contract/mail/campaign-lifecycle.ts'
import * as contract from '../../../contract/mail/campaign-recipient.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { QueryOf } from '../../../contract/core/operation.ts'
import type { CampaignDeliveryRow, RecipientFilter } from '../../domain/campaigns/campaign.ts'
import { isRowId } from '../../domain/core/id.ts'
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
const chunkMinChars = 16_384

/** Routes that list and export the recipients of a campaign. */
export function addCampaignRecipientRoutes(add: AddRoute, useCases: CampaignUseCases): void {
  add(contract.listCampaignRecipients, async ({ params, query, scope, reply }) => {
    const page = { ...toFilter(query), ...readIdPage(query, 'cursor_invalid') }
    return answerPage(reply, await useCases.listCampaignRecipients(scope, params.id, page), toCampaignDelivery)
  })

  add(contract.saveRecipientsAsList, async ({ params, body: { name, ...filter }, scope }) => {
    const saved = await useCases.saveRecipientsAsList(scope, params.id, name.trim(), toFilter(filter))
    return { id: saved.id, name: saved.name, members: saved.memberCount }
  })

  add(contract.exportCampaignRecipients, async ({ params, query, scope, reply }) => {
    const rows = await useCases.exportCampaignRecipients(scope, params.id, toFilter(query))
    const isCsv = query.format !== 'ndjson'
    void reply.headers({
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'content-disposition': `attachment; filename="recipients.${isCsv ? 'csv' : 'ndjson'}"`,
    })
    return Readable.from(inChunks(isCsv ? csvOf(rows) : jsonOf(rows))) as never
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

/** Lines of CSV, the header first. */
async function* csvOf(rows: AsyncIterable<CampaignDeliveryRow>): AsyncGenerator<string> {
  yield csvLine(['email', 'state', 'reply', 'attempts', 'settled_at', 'mailbox', ...actColumns])
  for await (const row of rows) {
    const { recipient, state, reply, attempts, settled_at: settledAt, mailbox, ...acts } = toCampaignDelivery(row)
    const cells = [recipient, state, reply ?? '', String(attempts), settledAt ?? '', mailbox]
    yield csvLine([...cells, ...actColumns.map((name) => acts[name] ?? '')])
  }
}

const actColumns = ['opened_at', 'clicked_at', 'replied_at', 'bounced_at'] as const

async function* jsonOf(rows: AsyncIterable<CampaignDeliveryRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(toCampaignDelivery(row))}\n`
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < chunkMinChars) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

type WireFilter = Omit<QueryOf<typeof contract.exportCampaignRecipients>, 'format'>

function toFilter({
  state,
  search = '',
  did,
  link_no: linkNo,
  bounce_reason: bounceReason,
  domain,
  config_id: mailboxId,
}: WireFilter): RecipientFilter {
  const part = search.trim().toLowerCase()
  if (mailboxId !== undefined && !isRowId(mailboxId)) throw unknownMailbox()
  return {
    state: state ?? null,
    search: part === '' ? null : part,
    act: did ?? null,
    linkNo: linkNo ?? null,
    bounceReason: bounceReason ?? null,
    domain: domain?.trim().toLowerCase() ?? null,
    mailboxId: mailboxId ?? null,
  }
}

function unknownMailbox(): AppError {
  return new AppError('validation', { items: [{ loc: ['config_id'], msg: 'is not the id of a mailbox', type: 'id' }] })
}

/** A recipient in wire format. */
export function toCampaignDelivery(row: CampaignDeliveryRow): contract.CampaignDelivery {
  return {
    id: String(row.id),
    ...toDelivery(row),
    config_id: row.mailboxId,
    ...toWire(row, ['mailbox', 'openedAt', 'clickedAt', 'repliedAt', 'bouncedAt']),
  }
}

/** The state of one delivery in wire format. */
export function toDelivery(row: DeliveryRow) {
  return {
    ...toWire(row, ['recipient', 'state', 'attempts', 'reply', 'settledAt']),
    next_attempt_at: row.state === 'deferred' ? row.nextAttemptAt.toISOString() : null,
  }
}

function toProgress({ status, counts, finishesAt }: CampaignWithEstimate): Progress {
  return { status, counts: toCounts(counts), finishes_at: finishesAt?.toISOString() ?? null }
}
