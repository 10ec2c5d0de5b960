import type { TSchema } from 'typebox'
import { errors, type ErrorCode } from '../../../contract/core/errors.ts'
import { idempotencyKeptHours, idempotencyKeyMaxChars } from '../../../contract/core/limits.ts'
import { commonErrors, type Operation } from '../../../contract/core/operation.ts'
import { bodyShapeOf } from '../shapes/closed-shape.ts'

const security: Record<Operation['access'], object[]> = {
  public: [],
  account: [{ accessToken: [] }],
  member: [{ accessToken: [] }],
  key: [{ secretKey: [] }],
  opener: [{ secretKey: [] }, { accessToken: [] }],
  loopback: [],
  hosted: [{ apiKey: [] }, { apiKey: [], hostedToken: [] }],
  'hosted-user': [{ apiKey: [], hostedToken: [] }],
}

const detail = { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } }
const validationDetail = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: { type: 'array', items: { type: ['string', 'integer'] }, examples: [['body', 'recipient_list', 2]] },
          msg: { type: 'string' },
          type: { type: 'string' },
        },
      },
    },
  },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Done once for each key, and answered the same each further time, for ${idempotencyKeptHours} hours`,
  schema: { type: 'string', minLength: 1, maxLength: idempotencyKeyMaxChars },
}

/** The contract as OpenAPI 3.1. */
export function describeOperations(operations: readonly Operation[], about: { version: string; url: string }): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    ;(paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sendwright', version: about.version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: about.url }],
    paths,
    components: {
      schemas: { Detail: detail, ValidationDetail: validationDetail },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', description: 'Access token of a session, at_…' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'API key of the hosted data backend, hr_… or hw_…',
        },
        hostedToken: { type: 'http', scheme: 'bearer', description: 'Token of a hosted user, hu_…' },
        embedSession: { type: 'http', scheme: 'bearer', description: 'Token of an embed session, es_…' },
        embedId: { type: 'http', scheme: 'bearer', description: 'Id of an embed, pk_…: opens what is public' },
        secretKey: { type: 'http', scheme: 'bearer', description: 'Secret key of a mailbox, ck_…' },
      },
    },
  }
}

function describe(operation: Operation): object {
  const { params, query } = operation
  const body = bodyShapeOf(operation)
  return {
    operationId: operation.name,
    summary: operation.summary,
    security: securityOf(operation),
    ...(operation.permission && { 'x-permission': operation.permission }),
    ...((params ?? query ?? operation.isRepeatable) && {
      parameters: [
        ...parameters(params, 'path'),
        ...parameters(query, 'query'),
        ...(operation.isRepeatable ? [idempotencyKey] : []),
      ],
    }),
    ...(operation.bodyMedia && {
      requestBody: {
        required: true,
        content: Object.fromEntries(operation.bodyMedia.map((media) => [media, { schema: { type: 'string' } }])),
      },
    }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { ...successes(operation), ...failures(operation) },
  }
}

function securityOf({ params, access, embed }: Operation): object[] {
  // The key is in the path.
  if (access === 'key' && 'secret_key' in propertiesOf(params)) return []
  const fromPages = [...(embed?.scope ? [{ embedSession: [] }] : []), ...(embed?.byId ? [{ embedId: [] }] : [])]
  return access === 'member' ? [...security[access], ...fromPages] : security[access]
}

function parameters(shape: TSchema | undefined, place: 'path' | 'query'): object[] {
  return Object.entries(propertiesOf(shape)).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || requiredOf(shape).includes(name),
    schema,
  }))
}

function propertiesOf(shape: { properties?: Record<string, object> } = {}): Record<string, object> {
  return shape.properties ?? {}
}

function requiredOf(shape: { required?: string[] } = {}): readonly string[] {
  return shape.required ?? []
}

function successes(operation: Operation): Record<string, object> {
  const entries = Object.entries(operation.answers).map(
    ([status, { description, body, media = 'application/json', headers }]): [string, object] => {
      const described = Object.entries(headers ?? {}).map(([name, text]) => [
        name,
        { description: text, schema: { type: 'string' } },
      ])
      return [
        status,
        {
          description,
          ...(described.length > 0 && { headers: Object.fromEntries(described) as object }),
          ...(body && { content: { [media]: { schema: body } } }),
        },
      ]
    },
  )
  return Object.fromEntries(entries)
}

/** Several codes of one status share an answer, their sentences one below the other. */
function failures(operation: Operation): Record<string, object> {
  const byStatus = Map.groupBy(
    [...new Set([...operation.errors, ...commonErrors(operation)])],
    (code: ErrorCode) => errors[code].status,
  )
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const isOwn = operation.failure && codes.every((code) => operation.errors.includes(code))
      const shared = { $ref: `#/components/schemas/${status === 422 ? 'ValidationDetail' : 'Detail'}` }
      return [
        String(status),
        {
          description: codes.map((code) => errors[code].sentence).join('\n\n'),
          content: { 'application/json': { schema: isOwn ? operation.failure : shared } },
        },
      ]
    }),
  )
}
