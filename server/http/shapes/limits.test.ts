import { expect, it } from 'vitest'
import { operations } from '../../../contract/core/operations.ts'
import { createValidatorCompiler, ShapeError } from './validation.ts'

/** What of JSON Schema the shapes of the contract use. */
interface Shape {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  items?: Shape
  properties?: Record<string, Shape>
  patternProperties?: Record<string, Shape>
  required?: string[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  minimum?: number
  maximum?: number
}

type Kind = 'characters' | 'items' | 'properties' | 'number'

/**
 * The limits of the calls: what is counted, the least and the most (null: any), and the places. `[]` stands for each item and `*`
 * for each property. With operations the limit is theirs, otherwise that of all others which have the place.
 */
const limits: readonly (readonly [Kind, least: number, most: number | null, places: string, operations?: string])[] = [
  ['characters', 0, 8, 'params.width'],
  ['characters', 0, 20, 'params.delivery_id query.contact_id'],
  [
    'characters',
    0,
    20,
    'params.id',
    'answerReply confirmReply deleteReply getReply rejectReply unsubscribeReply updateReply',
  ],
  ['characters', 0, 35, 'body.contacts[].locale body.locale'],
  [
    'characters',
    0,
    40,
    'body.attachments[].upload_id body.bounce_reason body.config_id body.created_at body.exclude_list_ids[] body.exclude_segment_ids[] body.list_id body.list_ids[] body.scheduled_at body.segment body.segment_ids[] params.id query.bounce_reason query.campaign_id query.config_id query.from query.to',
  ],
  ['characters', 0, 64, 'body.contacts[].timezone body.timezone params.key'],
  ['characters', 1, 64, 'query.timezone'],
  ['characters', 1, 80, 'params.kind'],
  [
    'characters',
    0,
    100,
    'body.field body.key body.targets[].key body.utm.campaign body.utm.content body.utm.medium body.utm.source body.utm.term',
  ],
  ['characters', 0, 100, 'query.cursor', 'listContactTimeline'],
  ['characters', 1, 100, 'body.first_name body.last_name query.collection'],
  ['characters', 1, 100, 'body.name', 'updateWorkspace createSavedBlock updateSavedBlock createEmbed updateEmbed'],
  ['characters', 1, 128, 'body.id'],
  [
    'characters',
    0,
    200,
    'body.choices[] body.code body.context[] body.from_name body.label body.targets[].label query.cursor',
  ],
  [
    'characters',
    0,
    200,
    'body.name',
    'createEmailCampaign updateEmailCampaign createEmailTemplate updateEmailTemplate',
  ],
  ['characters', 0, 200, 'query.search', 'listImages listEmailCampaigns getEmailTemplates'],
  [
    'characters',
    1,
    200,
    'body.attachments[].filename body.name body.user_ref query.filename query.name query.template_key',
  ],
  ['characters', 0, 250, 'body.preheader'],
  ['characters', 0, 253, 'body.domain query.domain'],
  ['characters', 1, 253, 'body.host body.imap_host body.smtp_host'],
  ['characters', 1, 253, 'query.domain', 'allowTrackingHost'],
  ['characters', 0, 254, 'body.filter.search body.query body.search query.email query.search'],
  ['characters', 1, 255, 'body.file_name'],
  ['characters', 0, 300, 'body.allowed_origins[] body.origin query.origin'],
  ['characters', 0, 320, 'body.as_recipient.email body.recipient body.recipients[] body.reply_to'],
  ['characters', 0, 500, 'body.postal_address'],
  ['characters', 1, 512, 'body.contacts[].email'],
  ['characters', 1, 512, 'body.email', 'createContact updateContact'],
  ['characters', 0, 600, 'query.cursor', 'listContacts'],
  ['characters', 0, 998, 'body.subject', 'startDeliverabilityCheck startSelfTest previewMail'],
  ['characters', 1, 998, 'body.subject'],
  ['characters', 0, 1000, 'body.alt body.detail query.alt query.filter query.filter[]'],
  ['characters', 1, 1024, 'body.app_password'],
  ['characters', 0, 2000, 'body.consent body.description'],
  ['characters', 0, 4096, 'body.proof_of_work'],
  ['characters', 1, 4096, 'body.state'],
  ['characters', 1, 4096, 'body.code', 'finishMailboxSignIn'],
  ['characters', 0, 8000, 'body.filter.rule query.rule'],
  ['characters', 0, 10_000, 'body.as_recipient.context.* body.context.* body.recipients[].context.*'],
  ['characters', 1, 100_000, 'body.text'],
  ['characters', 1, null, 'body.body body.content body.email body.email_address'],
  ['characters', 6, null, 'body.new_password body.password'],
  ['items', 0, 4, 'body.preferences.folded'],
  ['items', 0, 8, 'query.filter'],
  ['items', 1, 10, 'body.to'],
  ['items', 1, 10, 'body.recipient_list', 'testEmailCampaign'],
  ['items', 1, 20, 'body.config_ids'],
  ['items', 0, 50, 'body.allowed_origins'],
  [
    'items',
    0,
    100,
    'body.attachments body.contacts[].list_ids body.context body.exclude_list_ids body.exclude_segment_ids body.list_ids body.segment_ids',
  ],
  ['items', 0, 100, 'body.config_ids', 'createEmbed updateEmbed'],
  ['items', 0, 500, 'body.choices'],
  ['items', 0, 1000, 'body.targets'],
  ['items', 0, 1000, 'body.recipients', 'createEmailCampaign'],
  ['items', 1, 1000, 'body.contacts body.emails body.recipient_list'],
  ['items', 1, 10_000, 'body.ids'],
  ['items', 0, 50_000, 'body.recipients'],
  ['items', 1, null, 'body.scopes body.widgets'],
  ['properties', 0, 500, 'body.as_recipient.context body.context body.recipients[].context'],
  ['number', 1, 50, 'query.limit', 'listAudiencePeople'],
  ['number', 0, 60, 'body.undo_seconds'],
  ['number', 1, 90, 'query.days'],
  ['number', 1, 100, 'body.limit_connections'],
  ['number', 1, 120, 'body.events_keep_months'],
  ['number', 1, 500, 'query.limit'],
  ['number', 0, 1000, 'body.limits.messages'],
  ['number', 1, 1000, 'body.limits.messages_per_session'],
  ['number', 60, 3600, 'body.expires_in'],
  ['number', 0, 10_000, 'body.limits.recipients'],
  ['number', 1, 10_000, 'body.limits.recipients_per_session'],
  ['number', 1, 32_767, 'body.link_no body.targets[].no params.no query.link_no'],
  ['number', 1, 65_535, 'body.imap_port body.smtp_port'],
  ['number', 1, 100_000, 'body.limits.recipients_per_day'],
  ['number', 0, 100_000_000, 'body.recipient_count'],
  ['number', 0, 2_147_483_647, 'query.offset'],
  ['number', 1, 2_147_483_647, 'body.limit_per_day body.limit_per_minute'],
  ['number', 0, 9_007_199_254_740_990, 'body.base_revision'],
  ['number', 1, 9_007_199_254_740_990, 'body.revision params.revision'],
  ['number', 0, 9_007_199_254_740_991, 'body.size_bytes'],
  ['number', 0, null, 'query.revision'],
]

/** Texts of a pattern, at its limits and beyond. */
const patterns: Readonly<Record<string, readonly [taken: readonly string[], refused: readonly string[]]>> = {
  '^[1-9][0-9]{0,17}$': [
    ['1', '9'.repeat(18)],
    ['', '0', '9'.repeat(19)],
  ],
  '^([1-9][0-9]{0,4}|locale|timezone|source)$': [
    ['1', '99999', 'locale'],
    ['', '0', '100000', 'locales'],
  ],
  '^[\\w-]{43}$': [['a'.repeat(43)], ['a'.repeat(42), 'a'.repeat(44)]],
  '^[\\w.~-]{43,128}$': [
    ['a'.repeat(43), 'a'.repeat(128)],
    ['a'.repeat(42), 'a'.repeat(129)],
  ],
  '^[0-9a-f]{64}$': [['a'.repeat(64)], ['a'.repeat(63), 'a'.repeat(65)]],
  '^[A-Za-z0-9][\\w.-]*$': [
    ['a', 'a.-_'],
    ['', '.a', 'ä'],
  ],
  '^[a-z][a-z0-9._:-]*$': [
    ['a', 'a1.:_-'],
    ['', '1', 'A'],
  ],
}

const keywords: Readonly<Record<Kind, readonly (keyof Shape)[]>> = {
  characters: ['minLength', 'maxLength'],
  items: ['minItems', 'maxItems'],
  properties: ['maxProperties'],
  number: ['minimum', 'maximum'],
}
const kinds = Object.keys(keywords) as Kind[]

interface Place {
  operation: string
  place: string
  shape: Shape
}

/** Every place of a shape, a union's own and those of its branches under one name. */
function placesIn(shape: Shape, operation: string, place: string): Place[] {
  const inner = (next: Shape, end: string) => placesIn(next, operation, place + end)
  return [
    { operation, place, shape },
    ...(shape.anyOf ?? []).flatMap((branch) => inner(branch, '')),
    ...(shape.items ? inner(shape.items, '[]') : []),
    ...Object.entries(shape.properties ?? {}).flatMap(([name, property]) => inner(property, `.${name}`)),
    ...Object.values(shape.patternProperties ?? {}).flatMap((property) => inner(property, '.*')),
  ]
}

const parts = ['params', 'query', 'body'] as const
const places = operations.flatMap((operation) =>
  parts.flatMap((part) => placesIn((operation[part] ?? {}) as Shape, operation.name, part)),
)
const isLimited = ({ shape }: Place, kind: Kind) => keywords[kind].some((keyword) => shape[keyword] !== undefined)

const limitOf = ({ operation, place }: Place, kind: Kind) => {
  const rows = limits.filter(([counted, , , names]) => counted === kind && names.split(' ').includes(place))
  return (
    rows.find(([, , , , names]) => names?.split(' ').includes(operation)) ??
    rows.find(([, , , , names]) => names === undefined)
  )
}

/** The smallest value of a shape. */
function sampleOf(shape: Shape): unknown {
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  if (shape.anyOf?.[0]) return sampleOf(shape.anyOf[0])
  if (shape.type === 'object') {
    const required = shape.required ?? []
    return Object.fromEntries(required.map((name) => [name, sampleOf(shape.properties?.[name] ?? {})]))
  }
  if (shape.type === 'integer') return shape.minimum ?? 0
  return shape.pattern === undefined ? 'x'.repeat(shape.minLength ?? 0) : patterns[shape.pattern]?.[0][0]
}

/** A value of so many of what is counted. A character is a code point: 😀 has two UTF-16 code units. */
function valueOf(kind: Kind, shape: Shape, count: number): unknown {
  if (kind === 'number') return count
  if (kind === 'items') return Array.from({ length: count }, () => sampleOf(shape.items ?? {}))
  if (kind === 'characters') return (shape.pattern === undefined ? '😀' : 'a').repeat(count)
  return Object.fromEntries(Array.from({ length: count }, (_, no) => [`name${no}`, 'x']))
}

const compileValidator = createValidatorCompiler()

/** Whether the calls' validator takes a value at a place. */
function validatorOf({ place, shape }: Place): (value: unknown) => boolean {
  const httpPart = place.startsWith('body') ? 'body' : place.startsWith('query') ? 'querystring' : 'params'
  const schema = { type: 'object', properties: { value: shape } }
  const validate = compileValidator({ schema, httpPart, method: 'POST', url: '/' })
  return (value) => {
    const { error } = validate({ value }) as { error?: unknown }
    if (error !== undefined) expect(error).toBeInstanceOf(ShapeError)
    return error === undefined
  }
}

it('every limit of a call’s shape is in the table, and nothing else', () => {
  const limited = places.flatMap((place) =>
    kinds.filter((kind) => isLimited(place, kind)).map((kind) => ({ place, kind })),
  )
  const missing = limited.filter(({ place, kind }) => limitOf(place, kind) === undefined)
  expect(missing.map(({ place, kind }) => `${kind} of ${place.place} of ${place.operation}`)).toEqual([])
  const used = new Set(limited.map(({ place, kind }) => limitOf(place, kind)))
  expect(limits.filter((row) => !used.has(row))).toEqual([])
  const written = new Set(places.flatMap(({ shape }) => shape.pattern ?? []))
  expect([...written].sort()).toEqual(Object.keys(patterns).sort())
})

const rows = limits.map((row) => ({ row, title: row.filter((part) => part !== undefined).join(' ') }))

it.each(rows)('a value at its limits is taken, and one beyond them refused: $title', ({ row }) => {
  const [kind, least, most] = row
  const limited = places.filter((place) => isLimited(place, kind) && limitOf(place, kind) === row)
  expect(limited).not.toEqual([])
  for (const place of limited) {
    const isTaken = validatorOf(place)
    const taken = (count: number) => isTaken(valueOf(kind, place.shape, count))
    const name = `${place.place} of ${place.operation}`
    expect(taken(least), `${name}: ${least}`).toBe(true)
    if (least > 0 || kind === 'number') expect(taken(least - 1), `${name}: ${least - 1}`).toBe(false)
    if (most === null) continue
    expect(taken(most), `${name}: ${most}`).toBe(true)
    expect(taken(most + 1), `${name}: ${most + 1}`).toBe(false)
  }
})

it.each(Object.entries(patterns))(
  'texts of the pattern %s are taken, and others refused',
  (pattern, [taken, refused]) => {
    for (const place of places.filter(({ shape }) => shape.pattern === pattern)) {
      const isTaken = validatorOf(place)
      expect([...taken.map(isTaken), ...refused.map(isTaken)]).toEqual([
        ...taken.map(() => true),
        ...refused.map(() => false),
      ])
    }
  },
)
