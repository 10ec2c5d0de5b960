import * as contract from '../../../contract/inbox/reading.ts'
import type { createReadingService } from '../../usecases/inbox/reading-service.ts'
import type { AddRoute } from '../core/route.ts'

type ReadingUseCases = Pick<ReturnType<typeof createReadingService>, 'getReading' | 'startConsent'>

/** `/email/configs/{id}/reading`. */
export function addReadingRoutes(add: AddRoute, useCases: ReadingUseCases): void {
  add(contract.getReading, async ({ params, scope }) => toReading(await useCases.getReading(scope, params.id)))

  add(contract.startReadingConsent, async ({ params, caller, scope }) => {
    return { url: await useCases.startConsent(scope, caller.userId, params.id) }
  })
}

function toReading(row: Awaited<ReturnType<ReadingUseCases['getReading']>>): contract.Reading {
  const { isReading, state, error, since, lastCheckedAt, canRead, folders, totals } = row
  const { imapHost: host, imapPort: port, imapSecurity: security } = row
  return {
    is_reading: isReading,
    state,
    error,
    since: since?.toISOString() ?? null,
    last_checked_at: lastCheckedAt?.toISOString() ?? null,
    imap: host === null ? null : { host, port: port ?? 993, security: security ?? 'tls' },
    can_read: canRead,
    folders: folders.map(({ folder, role, checkedAt }) => ({
      folder,
      role,
      checked_at: checkedAt?.toISOString() ?? null,
    })),
    counts: {
      seen: totals.seen,
      matched: totals.matched,
      bounces: totals.bounces,
      replies: totals.replies,
      auto_replies: totals.autoReplies,
      complaints: totals.complaints,
      unmatched_bounces: totals.unmatchedBounces,
    },
  }
}
