import type { createSuppressionService } from '../../usecases/suppressions/suppression-service.ts'
import { Readable } from 'node:stream'
import { AppError } from '../../../contract/core/errors.ts'
import * as contract from '../../../contract/audience/suppression.ts'
import type { SuppressionRow } from '../../domain/suppressions/suppression.ts'
import type { SuppressionLine } from '../../usecases/suppressions/suppression-service.ts'
import { csvLine } from '../core/csv-line.ts'
import { answerPage, readPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { emailOf, readCsv } from '../campaigns/stream-lines.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the suppression calls. */
export type SuppressionUseCases = ReturnType<typeof createSuppressionService>

/** `/email/suppressions`: the suppression list of a workspace. */
export function addSuppressionRoutes(add: AddRoute, useCases: SuppressionUseCases): void {
  add(contract.listSuppressions, async ({ query, scope, reply }) => {
    const { email = null, search = null, reason = null } = query
    const filter = { email, search, reason }
    return answerPage(reply, await useCases.listSuppressions(scope, filter, readPage(query)), toSuppression)
  })

  add(contract.addSuppressions, async ({ body, scope }) => ({
    added: await useCases.addSuppressions(scope, body.emails, body.reason ?? 'manual', {
      createdAt: body.created_at,
      detail: body.detail,
      campaignId: body.campaign_id,
    }),
  }))

  add(contract.deleteSuppression, ({ params, query, scope }) =>
    useCases.deleteSuppression(scope, params.id, query.consented ?? false),
  )

  add(contract.exportSuppressions, ({ scope, reply }) => {
    void reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="suppressions.csv"',
    })
    return Promise.resolve(Readable.from(csvOf(useCases.exportSuppressions(scope))) as never)
  })
}

/** The call whose body is a stream. `add` is bound to where bodies arrive as streams. */
export function addSuppressionStreamRoutes(add: AddRoute, useCases: SuppressionUseCases): void {
  add(contract.importSuppressions, async ({ body: given, scope, request }) => {
    const body: unknown = given
    const isCsv = /^text\/csv\b/i.test(request.headers['content-type'] ?? '')
    if (!(body instanceof Readable) || !isCsv) throw new AppError('unsupported_media_type')
    const imported = await useCases.importSuppressions(scope, linesOf(body))
    const { addedCount, knownCount, refusedCount, refusals } = imported
    return { added: addedCount, known: knownCount, refused: refusedCount, refusals }
  })
}

async function* linesOf(body: Readable): AsyncGenerator<SuppressionLine> {
  for await (const { line, cells } of readCsv(body)) {
    yield { line, email: emailOf(cells), reason: cells.get('reason') ?? '' }
  }
}

async function* csvOf(rows: AsyncIterable<SuppressionRow>): AsyncGenerator<string> {
  yield csvLine(['email', 'reason', 'detail', 'created_at'])
  for await (const { email, reason, detail, createdAt } of rows) {
    yield csvLine([email, reason, detail ?? '', createdAt.toISOString()])
  }
}

function toSuppression(row: SuppressionRow): contract.Suppression {
  return toWire(row, ['id', 'email', 'reason', 'detail', 'campaignId', 'createdAt'])
}
