import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import * as contract from '../../../contract/audience/contact.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { listDefaultCount } from '../../../contract/core/limits.ts'
import { nextCursorHeader } from '../../../contract/core/paging.ts'
import { verdicts } from '../../../contract/results/event.ts'
import type { ContactCursor, ContactRow, TimelineCursor, TimelineRow } from '../../domain/contacts/contact.ts'
import type { FieldDefinition } from '../../domain/contacts/field-value.ts'
import type { ContactWithDetails, createContactService } from '../../usecases/contacts/contact-service.ts'
import { csvLine } from '../core/csv-line.ts'
import { eventStream } from '../core/event-stream.ts'
import type { AddRoute } from '../core/route.ts'

type Fields = ReadonlyMap<string, FieldDefinition>

/** `/email/contacts`. */
export function addContactRoutes(add: AddRoute, contacts: ReturnType<typeof createContactService>): void {
  add(contract.listContacts, async ({ query, scope, reply }) => {
    const { sort = 'newest', limit = listDefaultCount, cursor, ...filter } = query
    const page = { sort, limit, after: cursor === undefined ? null : readCursor(cursor, sort) }
    const [fields, { rows, next }] = await Promise.all([
      contacts.definitionsOf(scope),
      contacts.listContacts(scope, filter, page),
    ])
    if (next) setCursor(reply, [sort, next.value, next.id])
    return rows.map((row) => toContact(row, fields))
  })

  add(contract.countContacts, async ({ query, scope, reply }) =>
    eventStream(reply, 'count', await contacts.countContacts(scope, query), ({ count, isEstimate, tookMs }) => ({
      count,
      is_estimate: isEstimate,
      took_ms: tookMs,
    })),
  )

  add(contract.exportContacts, async ({ query, scope, reply }) => {
    const { format = 'csv', raw: isRaw = false, ...filter } = query
    const [fields, rows] = await Promise.all([contacts.definitionsOf(scope), contacts.exportContacts(scope, filter)])
    void reply.headers({
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="contacts.${format}"`,
    })
    const lines = format === 'csv' ? csvOf(rows, fields, isRaw) : jsonLines(rows, fields)
    return Readable.from(lines) as never
  })

  add(contract.exportContact, async ({ params, scope, reply }) => {
    const { contact, deliveries } = await contacts.exportContact(scope, params.id)
    const {
      lists,
      consents,
      suppression: _suppression,
      ...own
    } = toDetail(contact, await contacts.definitionsOf(scope))
    void reply.header('content-disposition', 'attachment; filename="contact.json"')
    return {
      contact: own,
      lists,
      consents,
      deliveries: deliveries.map(({ at, ...mail }) => ({ ...mail, at: at.toISOString() })),
    }
  })

  add(contract.createContact, async ({ body, scope }) => {
    const { list_ids: listIds = [], ...input } = body
    const fields = await contacts.definitionsOf(scope)
    return toDetail(await contacts.createContact(scope, input, listIds), fields)
  })

  add(contract.upsertContacts, async ({ body, scope }) => {
    const { ids, addedCount, updatedCount } = await contacts.upsertContacts(scope, body.contacts)
    return { added: addedCount, updated: updatedCount, ids: ids.map(String) }
  })

  add(contract.getContact, async ({ params, scope }) =>
    toDetail(await contacts.getContact(scope, params.id), await contacts.definitionsOf(scope)),
  )

  add(contract.updateContact, async ({ params, body, scope }) =>
    toDetail(await contacts.updateContact(scope, params.id, body), await contacts.definitionsOf(scope)),
  )

  add(contract.deleteContact, async ({ params, scope }) => {
    await contacts.deleteContact(scope, params.id)
    return null
  })

  add(contract.eraseContact, async ({ params, scope }) => {
    await contacts.eraseContact(scope, params.id)
    return null
  })

  add(contract.listContactTimeline, async ({ params, query, scope, reply }) => {
    const after = query.cursor === undefined ? null : readTimelineCursor(query.cursor)
    const { rows, next } = await contacts.listTimeline(scope, params.id, after)
    if (next) setCursor(reply, [next.at.toISOString(), next.skipCount])
    return rows.map(toEntry)
  })
}

/** The columns of an export before and behind the fields; an import recognises them. */
const leadColumns = ['email', 'status'] as const
const tailColumns = ['timezone', 'locale', 'source', 'created_at'] as const

/** A piece of text for each page of contacts: a turn of a generator for each line would take longer than the line. */
async function* csvOf(
  pages: AsyncIterable<readonly ContactRow[]>,
  fields: Fields,
  isRaw: boolean,
): AsyncGenerator<string> {
  const numbers = [...fields.values()].map(({ no }) => no)
  yield `\uFEFF${csvLine([...leadColumns, ...fields.keys(), ...tailColumns], { isRaw })}`
  for await (const rows of pages) {
    const lines = rows.map((row) => {
      const { email, status, timezone, locale, source, createdAt } = row
      const cells: string[] = [email, status]
      for (const no of numbers) cells.push(String(row.fields[no] ?? ''))
      cells.push(timezone ?? '', locale ?? '', source, createdAt.toISOString())
      return csvLine(cells, { isRaw })
    })
    yield lines.join('')
  }
}

async function* jsonLines(pages: AsyncIterable<readonly ContactRow[]>, fields: Fields): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(toContact(row, fields))}\n`).join('')
}

function setCursor(reply: FastifyReply, values: readonly (string | number)[]): void {
  void reply.header(nextCursorHeader, Buffer.from(JSON.stringify(values)).toString('base64url'))
}

function readValues(cursor: string): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(values)) return values.map(String)
  } catch {
    // Refused below, as any other text that no list returned.
  }
  return refuseCursor()
}

function readCursor(cursor: string, sort: contract.ContactSort): ContactCursor {
  const [sorted, value, id] = readValues(cursor)
  const isTime = sort !== 'last_activity' || value === '-infinity' || !Number.isNaN(Date.parse(value ?? ''))
  if (sorted !== sort || value === undefined || !/^\d{1,18}$/.test(id ?? '') || !isTime) return refuseCursor()
  return { value, id: Number(id) }
}

function readTimelineCursor(cursor: string): TimelineCursor {
  const [time = '', skip = ''] = readValues(cursor)
  const at = new Date(time)
  if (Number.isNaN(at.getTime()) || !/^\d{1,6}$/.test(skip)) return refuseCursor()
  return { at, skipCount: Number(skip) }
}

function refuseCursor(): never {
  const item = { loc: ['query', 'cursor'], msg: 'is not a cursor that this list returned', type: 'cursor' }
  throw new AppError('validation', { items: [item] })
}

function toContact(row: ContactRow, fields: Fields): contract.Contact {
  return {
    id: String(row.id),
    email: row.email,
    status: row.status,
    fields: Object.fromEntries(
      [...fields.values()].flatMap(({ no, key }) => {
        const value = row.fields[no]
        return value === undefined ? [] : [[key, value]]
      }),
    ),
    timezone: row.timezone,
    locale: row.locale,
    source: row.source,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    last_sent_at: row.lastSentAt?.toISOString() ?? null,
    last_activity_at: row.lastActivityAt?.toISOString() ?? null,
    ...(row.listState && { list_state: row.listState }),
  }
}

function toDetail(row: ContactWithDetails, fields: Fields): contract.ContactDetail {
  return {
    ...toContact(row, fields),
    tracking: row.tracking,
    lists: row.lists.map(({ listId, name, state, at }) => ({
      id: String(listId),
      name,
      state,
      since: at.toISOString(),
    })),
    consents: row.consents.map(({ kind, text, at }) => ({ kind, text, at: at.toISOString() })),
    suppression: row.suppression && {
      id: row.suppression.id,
      reason: row.suppression.reason,
      detail: row.suppression.detail,
      created_at: row.suppression.createdAt.toISOString(),
    },
  }
}

const toEntry = ({ kind, at, title, detail, objectId, verdict, reason }: TimelineRow): contract.TimelineEntry => ({
  kind,
  at: at.toISOString(),
  title,
  detail,
  object_id: objectId,
  verdict: verdictNames.find((name) => verdicts[name] === verdict) ?? null,
  reason,
})

const verdictNames = ['human', 'probable', 'machine'] as const
