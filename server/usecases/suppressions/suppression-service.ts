import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { refusalsShownMaxCount } from '../../../contract/core/limits.ts'
import { suppressionReasons, type SuppressionReason } from '../../../contract/audience/suppression.ts'
import { isRowId } from '../../domain/core/id.ts'
import { isByPerson, type NewSuppression, type SuppressionFilter } from '../../domain/suppressions/suppression.ts'
import { readRecipients } from '../messages/read-recipients.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { SuppressionStore } from '../../store/suppressions/suppression.ts'

interface Ports {
  suppressions: Pick<SuppressionStore, 'add' | 'list' | 'all' | 'findById' | 'remove'>
  now: () => Date
}

/** Origin of addresses from an earlier list. */
interface OriginInput {
  /** ISO 8601. */
  createdAt?: string | undefined
  detail?: string | null | undefined
  campaignId?: string | null | undefined
}

/** A line of an imported list; an unknown reason counts as `manual`. */
export interface SuppressionLine {
  line: number
  email: string
  reason: string
}

/** Result of an import. */
export interface ImportedSuppressions {
  addedCount: number
  knownCount: number
  refusedCount: number
  /** The first of the refused lines. */
  refusals: { line: number; reason: string }[]
}

const batchCount = 1000

/** Manages the suppression list of a workspace. */
export function createSuppressionService({ suppressions, now }: Ports) {
  return {
    /** Newest first. */
    listSuppressions: (
      scope: Scope,
      { email, search, reason }: SuppressionFilter,
      page: { limit: number; offset: number },
    ) => {
      const filter = {
        email: email === null ? null : keyOf(email),
        search: search?.trim().toLowerCase() ?? null,
        reason,
      }
      return suppressions.list(scope, filter, page)
    },

    /** Returns how many were new. Throws `validation`, and adds none then. */
    async addSuppressions(
      scope: Scope,
      emails: readonly string[],
      reason: SuppressionReason,
      { createdAt, detail = null, campaignId = null }: OriginInput,
    ): Promise<number> {
      const origin = {
        createdAt: createdAt === undefined ? null : readPast(createdAt, now()),
        detail,
        campaignId: campaignId !== null && isRowId(campaignId) ? campaignId : null,
      }
      const addresses = readRecipients(emails, 'emails')
      return suppressions.add(
        scope,
        addresses.map((email) => ({ email: email.toLowerCase(), reason, ...origin })),
      )
    },

    /**
     * Removes an address from the list. One that its owner added needs the owner's consent.
     * Throws `suppression_not_found`, `suppression_locked`.
     */
    async deleteSuppression(scope: Scope, id: string, isConsented: boolean): Promise<void> {
      const found = isRowId(id) ? await suppressions.findById(scope, id) : null
      if (found === null) throw new AppError('suppression_not_found')
      if (isByPerson(found.reason) && !isConsented) throw new AppError('suppression_locked')
      await suppressions.remove(scope, id)
    },

    /** Adds a stream of addresses; skips and reports lines that are not one address. */
    async importSuppressions(scope: Scope, lines: AsyncIterable<SuppressionLine>): Promise<ImportedSuppressions> {
      const imported: ImportedSuppressions = { addedCount: 0, knownCount: 0, refusedCount: 0, refusals: [] }
      let batch = new Map<string, NewSuppression>()
      const flush = async () => {
        const entries = [...batch.values()]
        batch = new Map()
        const addedCount = entries.length === 0 ? 0 : await suppressions.add(scope, entries)
        imported.addedCount += addedCount
        imported.knownCount += entries.length - addedCount
      }
      for await (const { line, email, reason } of lines) {
        const parsed = parseAddress(email)
        if (parsed.ok) batch.set(parsed.key, { email: parsed.key, reason: readReason(reason) })
        else {
          imported.refusedCount += 1
          const sentence = `The address ${addressProblems[parsed.problem]}.`
          if (imported.refusals.length < refusalsShownMaxCount) imported.refusals.push({ line, reason: sentence })
        }
        if (batch.size >= batchCount) await flush()
      }
      await flush()
      return imported
    },

    /** All, by address. */
    exportSuppressions: (scope: Scope) => suppressions.all(scope),
  }
}

function readPast(text: string, now: Date): Date {
  const at = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : new Date(NaN)
  if (at <= now) return at
  const msg = 'created_at must be a time in the past; write it as 2025-08-14T09:30:00Z'
  throw new AppError('validation', { items: [{ loc: ['body', 'created_at'], msg, type: 'value' }] })
}

function keyOf(email: string): string {
  const parsed = parseAddress(email)
  return parsed.ok ? parsed.key : email.toLowerCase()
}

function readReason(text: string): SuppressionReason {
  const known = text.trim().toLowerCase()
  return suppressionReasons.find((reason) => reason === known) ?? 'manual'
}
