import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type ApiServer, type Reply } from '../../tests/support/api-server.ts'
import type { Session } from '../core/http.ts'
import * as contact from './contact.ts'
import * as audience from './campaign-audience.ts'
import * as contactAction from './contact-action.ts'
import * as contactField from './contact-field.ts'
import * as imports from './import.ts'
import * as list from './list.ts'
import * as segment from './segment.ts'

const events = { text: 'event: count\ndata: {}\n\n', headers: { 'Content-Type': 'text/event-stream' } }
/** These cases look at requests, so an object without members is response enough. */
const json = (status: number): Reply => ({ status, text: '{}', headers: { 'Content-Type': 'application/json' } })
const answers = {
  ...Object.fromEntries(
    [
      'listContacts',
      'listContactTimeline',
      'listContactFields',
      'listFieldValues',
      'listLists',
      'listSegments',
      'listContactSegments',
      'listImports',
    ].map((name) => [name, { json: [] }]),
  ),
  ...Object.fromEntries(
    ['createContact', 'createContactField', 'createList', 'createSegment', 'createImport'].map((name) => [
      name,
      json(201),
    ]),
  ),
  ...Object.fromEntries(
    ['deleteContact', 'eraseContact', 'deleteContactField', 'deleteList', 'deleteSegment'].map((name) => [
      name,
      { status: 204 },
    ]),
  ),
  ...Object.fromEntries(
    [
      'getContact',
      'updateContact',
      'updateContactField',
      'updateList',
      'getSegment',
      'updateSegment',
      'getImport',
      'updateImport',
      'uploadImportFile',
      'checkImport',
      'startImport',
      'cancelImport',
      'undoImport',
    ].map((name) => [name, json(200)]),
  ),
  startContactAction: json(202),
  getContactAction: json(200),
  undoContactAction: json(200),
  countContacts: events,
  exportContact: json(200),
  exportContacts: { text: 'email\r\n', headers: { 'Content-Type': 'text/csv' } },
  previewSegment: events,
  countAudience: events,
  listAudiencePeople: json(200),
  watchImport: events,
  exportImportRefusals: { text: 'line,reason\r\n', headers: { 'Content-Type': 'text/csv' } },
}

let api: ApiServer
beforeAll(async () => {
  api = await startApi(answers)
})
afterAll(() => api.close())
beforeEach(() => (api.received.length = 0))

const session = (): Session => ({ apiBase: api.url, token: () => null, shared: new Map() })
const rule = { field: 1, op: 'is', value: 'Ada' } as const
const newContact = { email: 'a@example.org' }
const newImport = { file_name: 'a.csv', size_bytes: 3, sha256: '0'.repeat(64) }
const piece = new Blob(['abc'])

/** Reads a stream to its end: one that is left open would hold the server's connection. */
async function readAll(values: AsyncIterable<unknown>): Promise<void> {
  const iterator = values[Symbol.asyncIterator]()
  let isOver = false
  while (!isOver) isOver = (await iterator.next()).done ?? false
}

describe('the client function', () => {
  const cases: [run: () => Promise<unknown>, line: string, body?: unknown][] = [
    [() => contact.listContacts(session(), { search: 'a', limit: 5 }), 'GET /email/contacts?search=a&limit=5'],
    [() => readAll(contact.countContacts(session(), { list_id: '3' })), 'GET /email/contacts/count?list_id=3'],
    [() => contact.createContact(session(), newContact), 'POST /email/contacts', newContact],
    [() => contact.getContact(session(), '7'), 'GET /email/contacts/7'],
    [() => contact.updateContact(session(), '7', { locale: 'de' }), 'PATCH /email/contacts/7', { locale: 'de' }],
    [() => contact.deleteContact(session(), '7'), 'DELETE /email/contacts/7'],
    [() => contact.eraseContact(session(), '7'), 'POST /email/contacts/7/erase'],
    [() => contact.listContactTimeline(session(), '7', { cursor: 'c' }), 'GET /email/contacts/7/timeline?cursor=c'],
    [
      () => readAll(contact.exportContacts(session(), { format: 'csv', raw: true })),
      'GET /email/contacts/export?format=csv&raw=true',
    ],
    [() => contact.exportContact(session(), '7'), 'GET /email/contacts/7/export'],
    [
      () => contactAction.startContactAction(session(), { kind: 'delete', ids: ['7'] }),
      'POST /email/contacts/actions',
      { kind: 'delete', ids: ['7'] },
    ],
    [() => contactAction.getContactAction(session(), '3'), 'GET /email/contacts/actions/3'],
    [() => contactAction.undoContactAction(session(), '3'), 'POST /email/contacts/actions/3/undo'],
    [() => contactField.listContactFields(session()), 'GET /email/contact-fields'],
    [() => contactField.listFieldValues(session(), '3'), 'GET /email/contact-fields/3/values'],
    [() => contactField.createContactField(session(), { key: 'city' }), 'POST /email/contact-fields', { key: 'city' }],
    [
      () => contactField.updateContactField(session(), 3, { label: 'City' }),
      'PATCH /email/contact-fields/3',
      { label: 'City' },
    ],
    [() => contactField.deleteContactField(session(), 3, { force: true }), 'DELETE /email/contact-fields/3?force=true'],
    [() => list.listLists(session()), 'GET /email/lists'],
    [() => list.createList(session(), { name: 'News' }), 'POST /email/lists', { name: 'News' }],
    [() => list.updateList(session(), '2', { is_public: true }), 'PATCH /email/lists/2', { is_public: true }],
    [() => list.deleteList(session(), '2'), 'DELETE /email/lists/2'],
    [() => segment.listSegments(session()), 'GET /email/segments'],
    [() => segment.listContactSegments(session(), '7'), 'GET /email/contacts/7/segments'],
    [() => segment.createSegment(session(), { name: 'A', rule }), 'POST /email/segments', { name: 'A', rule }],
    [() => readAll(segment.previewSegment(session(), { rule })), 'POST /email/segments/preview', { rule }],
    [() => segment.getSegment(session(), '4'), 'GET /email/segments/4'],
    [() => segment.updateSegment(session(), '4', { name: 'B' }), 'PATCH /email/segments/4', { name: 'B' }],
    [() => segment.deleteSegment(session(), '4'), 'DELETE /email/segments/4'],
    [
      () => readAll(audience.countAudience(session(), { list_ids: ['2'], recipients: ['a@example.org'] })),
      'POST /email/campaign/audience',
      { list_ids: ['2'], recipients: ['a@example.org'] },
    ],
    [
      () => audience.listAudiencePeople(session(), { list_ids: ['2'] }, { limit: 5 }),
      'POST /email/campaign/audience/people?limit=5',
      { list_ids: ['2'] },
    ],
    [() => imports.listImports(session()), 'GET /email/imports'],
    [() => imports.createImport(session(), newImport), 'POST /email/imports', newImport],
    [() => imports.uploadImportFile(session(), '5', { start: 0, totalBytes: 3, piece }), 'PUT /email/imports/5/file'],
    [() => imports.getImport(session(), '5'), 'GET /email/imports/5'],
    [() => imports.updateImport(session(), '5', { mode: 'add' }), 'PATCH /email/imports/5', { mode: 'add' }],
    [() => imports.checkImport(session(), '5'), 'POST /email/imports/5/check'],
    [() => imports.startImport(session(), '5'), 'POST /email/imports/5/start'],
    [() => imports.cancelImport(session(), '5'), 'POST /email/imports/5/cancel'],
    [() => imports.undoImport(session(), '5'), 'POST /email/imports/5/undo'],
    [() => readAll(imports.watchImport(session(), '5')), 'GET /email/imports/5/events'],
    [() => imports.exportImportRefusals(session(), '5'), 'GET /email/imports/5/refusals'],
  ]

  it.each(cases.map(([run, line, body]) => [line, run, body] as const))('calls %s', async (line, run, body) => {
    await run()
    const [got] = api.received
    const query = got?.query.size ? `?${got.query.toString()}` : ''
    expect(`${got?.method ?? ''} ${got?.path ?? ''}${query}`).toBe(line)
    expect(got?.body).toEqual(body)
  })

  it('for a piece of a file names its range', async () => {
    await imports.uploadImportFile(session(), '5', { start: 1_048_576, totalBytes: 1_048_579, piece })
    expect(api.received[0]?.headers['content-range']).toBe('bytes 1048576-1048578/1048579')
  })
})
