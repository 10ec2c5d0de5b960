import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from './operation.ts'
import * as routes from './health.routes.ts'

const Readiness = Type.Object({
  status: Type.Enum(['ready', 'starting', 'stopping']),
  database: Type.Boolean({ description: 'A query was answered' }),
  sender: Type.Boolean({ description: 'The sender is claiming' }),
})
export type Readiness = Static<typeof Readiness>

export const getHealth = defineOperation({
  name: 'getHealth',
  summary: 'Whether the process runs',
  ...routeOf(routes.getHealth),
  access: 'public',
  caller: 'program',
  answers: { 200: { description: 'It does.', body: Type.Object({ status: Type.Literal('ok') }) } },
})

export const getReadiness = defineOperation({
  name: 'getReadiness',
  summary: 'Whether database and sender are ready',
  ...routeOf(routes.getReadiness),
  access: 'public',
  caller: 'program',
  answers: { 200: { description: 'Ready.', body: Readiness } },
  failure: Readiness,
  errors: ['unavailable'],
})

export const getOpenApi = defineOperation({
  name: 'getOpenApi',
  summary: 'This description, as OpenAPI 3.1',
  ...routeOf(routes.getOpenApi),
  access: 'public',
  caller: 'program',
  answers: { 200: { description: 'The description.', body: Type.Object({}, { additionalProperties: true }) } },
})
