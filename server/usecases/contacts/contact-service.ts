import { contactMaxBytes } from '../../../contract/audience/contact.limits.ts'
import type { ContactSort, ContactStatus } from '../../../contract/audience/contact.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import {
  ContactTooLarge,
  type ContactCursor,
  type ContactEntry,
  type ContactRow,
  type Consent,
  type Membership,
  type TimelineCursor,
  type TimelineRow,
} from '../../domain/contacts/contact.ts'
import type { FieldDefinition } from '../../domain/contacts/field-value.ts'
import type { ContactStore } from '../../store/contacts/contact.ts'
import type { ErasureStore } from '../../store/contacts/erasure.ts'
import type { ContactFieldStore } from '../../store/contacts/contact-field.ts'
import type { ContactSelection } from '../../store/contacts/contact-filter.sql.ts'
import type { SuppressionRow } from '../../domain/suppressions/suppression.ts'
import type { ListStore } from '../../store/lists/list.ts'
import type { RuleContextStore } from '../../store/segments/rule-context.ts'
import type { SuppressionStore } from '../../store/suppressions/suppression.ts'
import type { TrackingStore } from '../../store/tracking/tracking.ts'
import type { EvaluationLoad } from '../segments/evaluation-load.ts'
import { readRuleText } from '../segments/read-rule.ts'
import { contactTooLarge, readContactEntry, readFields, readPlaces, type ContactInput } from './read-contact-entry.ts'

interface Ports {
  contacts: ContactStore
  erasures: Pick<ErasureStore, 'listErased' | 'erase'>
  fields: Pick<ContactFieldStore, 'list'>
  lists: Pick<ListStore, 'addMembers' | 'listExisting'>
  ruleContext: Pick<RuleContextStore, 'read'>
  suppressions: Pick<SuppressionStore, 'findByEmails'>
  tracking: Pick<TrackingStore, 'findOfContact' | 'setOfContact'>
  load: Pick<EvaluationLoad, 'run'>
  now: () => Date
}

/** What narrows a list of contacts, as a caller gives it. */
export interface ContactFilterInput {
  search?: string | undefined
  list_id?: string | undefined
  segment_id?: string | undefined
  status?: ContactStatus | undefined
  /** JSON of a rule. */
  rule?: string | undefined
}

export interface ContactWithDetails extends ContactRow {
  lists: Membership[]
  consents: Consent[]
  suppression: SuppressionRow | null
  /** What is recorded at most of its opens and clicks; null: as its mails have it. */
  tracking: TrackingMode | null
}

/** Longest time of a count. */
const countTimeoutMs = 10_000
const timelinePageCount = 50

/** Manages the contacts of a workspace. */
export function createContactService({
  contacts,
  erasures,
  fields,
  lists,
  ruleContext,
  suppressions,
  tracking,
  load,
  now,
}: Ports) {
  const definitionsOf = async (scope: Scope): Promise<Map<string, FieldDefinition>> =>
    new Map((await fields.list(scope)).map((field) => [field.key, field]))

  /** The selection of a filter. Throws `segment_rule_invalid`, `segment_not_found`. */
  const select = async (scope: Scope, filter: ContactFilterInput): Promise<ContactSelection> => {
    const { search = null, list_id: listId = null, segment_id: segmentId, status = null, rule: ruleText } = filter
    let rule: ContactSelection['rule'] = null
    if (segmentId !== undefined || ruleText !== undefined) {
      const { context, timezone } = await ruleContext.read(scope, now())
      const segment = segmentId === undefined ? undefined : context.segments.get(segmentId)
      if (segmentId !== undefined && segment === undefined) throw new AppError('segment_not_found')
      const parts = [
        // Its rule, not a reference to it: a page then reads contacts until it is full, instead of all of them.
        ...(segment === undefined ? [] : [segment]),
        ...(ruleText === undefined ? [] : [readRuleText(ruleText, context, ['query', 'rule'])]),
      ]
      rule = { rule: { all: parts }, context, timezone }
    }
    return { search, listId, status, rule }
  }

  const detail = async (scope: Scope, id: string): Promise<ContactWithDetails> => {
    const [row, memberships, consents, mode] = await Promise.all([
      contacts.find(scope, id),
      contacts.listMemberships(scope, id),
      contacts.listConsents(scope, id),
      tracking.findOfContact(scope, id),
    ])
    if (row === null) throw new AppError('contact_not_found')
    const found = row.status === 'active' ? [] : await suppressions.findByEmails(scope, [row.email.toLowerCase()])
    return { ...row, lists: memberships, consents, suppression: found[0] ?? null, tracking: mode }
  }

  const checkLists = async (scope: Scope, listIds: readonly string[]): Promise<void> => {
    if (listIds.length === 0) return
    const existing = await lists.listExisting(scope, listIds)
    if (listIds.some((id) => !existing.has(id))) throw new AppError('list_not_found')
  }

  /** `pathOf`: place of the entry with this key. */
  const refuseErased = async (
    scope: Scope,
    keys: readonly string[],
    pathOf: (key: string) => readonly (string | number)[],
  ): Promise<void> => {
    const erased = await erasures.listErased(scope, keys)
    if (erased.size === 0) return
    const msg = 'belongs to a person whose data was erased; leave it out'
    const items = [...erased].slice(0, 100).map((key) => ({ loc: [...pathOf(key), 'email'], msg, type: 'erased' }))
    throw new AppError('contact_erased', { items })
  }

  return {
    definitionsOf,
    select,

    /** Throws `segment_rule_invalid`, `segment_not_found`. */
    async listContacts(
      scope: Scope,
      filter: ContactFilterInput,
      page: { sort: ContactSort; limit: number; after: ContactCursor | null },
    ) {
      return contacts.list(scope, await select(scope, filter), page)
    },

    /** An estimate where there are many contacts, then the exact number. Throws as `listContacts`. */
    async countContacts(scope: Scope, filter: ContactFilterInput): Promise<AsyncGenerator<CountedContacts>> {
      const selection = await select(scope, filter)
      return count(scope, selection)
    },

    /** All that match, oldest first. Throws as `listContacts`. */
    async exportContacts(scope: Scope, filter: ContactFilterInput): Promise<AsyncGenerator<readonly ContactRow[]>> {
      return contacts.all(scope, await select(scope, filter))
    },

    /** All data of one contact. Throws `contact_not_found`. */
    async exportContact(scope: Scope, id: string) {
      const contact = await detail(scope, id)
      return { contact, deliveries: await contacts.listDeliveries(scope, contact.email) }
    },

    /**
     * Throws `validation`, `contact_exists`, `contact_erased`, `field_unknown`, `field_value_invalid`, `contact_too_large`,
     * `list_not_found`.
     */
    async createContact(scope: Scope, input: ContactInput, listIds: readonly string[]): Promise<ContactWithDetails> {
      const entry = readContactEntry(input, await definitionsOf(scope))
      await checkLists(scope, listIds)
      await refuseErased(scope, [entry.key], () => ['body'])
      const id = await contacts.create(scope, entry, { source: 'manual', at: now() })
      if (id === null) throw new AppError('contact_exists')
      for (const listId of listIds) await lists.addMembers(scope, listId, [id], now())
      return detail(scope, String(id))
    },

    /** Of two entries with one address the later one wins. Throws as `createContact`. */
    async upsertContacts(
      scope: Scope,
      inputs: readonly (ContactInput & { list_ids?: readonly string[] | undefined })[],
    ): Promise<{ ids: number[]; addedCount: number; updatedCount: number }> {
      const definitions = await definitionsOf(scope)
      const entries = inputs.map((input, at) => readContactEntry(input, definitions, ['body', 'contacts', at]))
      await checkLists(scope, [...new Set(inputs.flatMap(({ list_ids: ids = [] }) => ids))])
      const byKey = new Map<string, ContactEntry>(entries.map((entry) => [entry.key, entry]))
      const unique = [...byKey.values()]
      await refuseErased(scope, [...byKey.keys()], (wanted) => [
        'body',
        'contacts',
        entries.findIndex(({ key }) => key === wanted),
      ])
      const { ids, addedCount } = await refuseTooLarge(() =>
        contacts.upsert(scope, unique, { source: 'api', at: now(), maxBytes: contactMaxBytes }),
      )
      const idByKey = new Map(unique.map(({ key }, at) => [key, ids[at] ?? 0]))
      const members = new Map<string, number[]>()
      inputs.forEach(({ list_ids: listIds = [] }, at) => {
        for (const listId of listIds) {
          members.set(listId, [...(members.get(listId) ?? []), idByKey.get(entries[at]?.key ?? '') ?? 0])
        }
      })
      for (const [listId, contactIds] of members) await lists.addMembers(scope, listId, contactIds, now())
      return {
        ids: entries.map(({ key }) => idByKey.get(key) ?? 0),
        addedCount,
        updatedCount: unique.length - addedCount,
      }
    },

    /** Throws `contact_not_found`. */
    getContact: detail,

    /**
     * Throws `validation`, `contact_not_found`, `contact_exists`, `contact_erased`, `field_unknown`, `field_value_invalid`,
     * `contact_too_large`.
     */
    async updateContact(
      scope: Scope,
      id: string,
      changes: Partial<ContactInput> & { tracking?: TrackingMode | null | undefined },
    ): Promise<ContactWithDetails> {
      const definitions = await definitionsOf(scope)
      const { email } = changes
      const address = email === undefined ? null : readContactEntry({ email }, definitions)
      const entry = {
        ...address,
        fields: readFields(changes.fields ?? {}, definitions, ['body']),
        ...readPlaces(changes, ['body']),
      }
      if (address !== null) await refuseErased(scope, [address.key], () => ['body'])
      const outcome = await contacts.update(scope, id, entry, { at: now(), maxBytes: contactMaxBytes })
      if (outcome === null) throw new AppError('contact_not_found')
      if (outcome === 'taken') throw new AppError('contact_exists')
      if (outcome === 'too_large') throw contactTooLarge(['body'])
      if (changes.tracking !== undefined) await tracking.setOfContact(scope, id, changes.tracking)
      return detail(scope, id)
    },

    /** Throws `contact_not_found`. */
    async deleteContact(scope: Scope, id: string): Promise<void> {
      if (!(await contacts.remove(scope, id))) throw new AppError('contact_not_found')
    },

    /** Deletes everything about the person; only a hash that prevents further mail stays. Throws `contact_not_found`. */
    async eraseContact(scope: Scope, id: string): Promise<void> {
      if (!(await erasures.erase(scope, id))) throw new AppError('contact_not_found')
    },

    /** Newest first, 50 a page. Throws `contact_not_found`. */
    async listTimeline(scope: Scope, id: string, after: TimelineCursor | null) {
      if ((await contacts.find(scope, id)) === null) throw new AppError('contact_not_found')
      const found = await contacts.listTimeline(scope, id, after, timelinePageCount + 1)
      const rows = found.slice(0, timelinePageCount)
      return { rows, next: found.length > timelinePageCount ? cursorBehind(rows, after) : null }
    },
  }

  async function* count(scope: Scope, selection: ContactSelection): AsyncGenerator<CountedContacts> {
    const startedAt = performance.now()
    const tookMs = () => Math.round(performance.now() - startedAt)
    const { workspaceId } = scope
    // Rules take their turn; anything else is as quick as a page.
    const run = <T>(work: () => Promise<T>) => (selection.rule === null ? work() : load.run(workspaceId, work))
    const estimate = await run(() => contacts.estimate(scope, selection))
    if (estimate !== null) yield { count: estimate, isEstimate: true, tookMs: tookMs() }
    const count = await run(() => contacts.count(scope, selection, countTimeoutMs))
    yield { count, isEstimate: false, tookMs: tookMs() }
  }
}

/** The place behind a page of a timeline. Entries of one time may be on two pages. */
function cursorBehind(rows: readonly TimelineRow[], after: TimelineCursor | null): TimelineCursor | null {
  const last = rows.at(-1)
  if (last === undefined) return null
  const isLast = ({ at }: { at: Date }) => at.getTime() === last.at.getTime()
  const skippedCount = after !== null && isLast(after) ? after.skipCount : 0
  return { at: last.at, skipCount: skippedCount + rows.filter(isLast).length }
}

/** A number of contacts, and how long it took to find. */
export interface CountedContacts {
  count: number
  isEstimate: boolean
  tookMs: number
}

async function refuseTooLarge<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof ContactTooLarge) throw contactTooLarge(['body', 'contacts'], error)
    throw error
  }
}
