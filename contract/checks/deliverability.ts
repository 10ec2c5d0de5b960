import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { Context } from '../mail/message.ts'
import { messageKinds } from '../mail/send/send-fields.ts'
import { subjectMaxChars } from '../mail/message.limits.ts'
import * as routes from './deliverability.routes.ts'

export const checkParts = ['message', 'links', 'dns', 'spam', 'self_test'] as const

const Finding = Type.Object({
  rule: Type.String({ description: 'Name of the rule; it never changes' }),
  severity: Type.Enum(['error', 'warning', 'info']),
  sentence: Type.String({ description: 'What was found' }),
  remedy: Type.String({ description: 'What to do about it' }),
  place: Type.Union([Type.String(), Type.Null()], {
    description: 'Address or name of what is meant, if it is one thing',
  }),
})
/** Something that the check found. */
export type Finding = Static<typeof Finding>

const Part = Type.Object({
  part: Type.Enum([...checkParts], { description: 'spam only where the operator names a spam filter' }),
  state: Type.Enum(['done', 'not_possible']),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it is not possible' }),
  findings: Type.Array(Finding),
})
export type CheckPart = Static<typeof Part>

const Check = Type.Object({
  id: Type.String(),
  content_hash: Type.String({ description: 'Of subject, body and sender: another one makes the check outdated' }),
  score: Type.Integer({ description: '100 without a finding; 0 at worst' }),
  parts: Type.Array(Part),
  finished_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** The result of a check. */
export type DeliverabilityCheck = Static<typeof Check>

const NewCheck = Type.Object({
  config_id: Type.String({ maxLength: 40 }),
  subject: Type.String({ maxLength: subjectMaxChars }),
  body: Type.String({ description: 'HTML' }),
  context: Type.Optional(Context),
  kind: Type.Optional(Type.Enum([...messageKinds], { default: 'transactional' })),
})

export const startDeliverabilityCheck = defineOperation({
  name: 'startDeliverabilityCheck',
  summary: 'Check a message before it is sent: its content, its links and the DNS of the sender’s domain',
  ...routeOf(routes.startDeliverabilityCheck),
  access: 'member',
  permission: 'messages:send',
  body: NewCheck,
  answers: { 200: { description: 'The result.', body: Check } },
  errors: ['config_not_found'],
})

export const startSelfTest = defineOperation({
  name: 'startSelfTest',
  summary:
    'Send a message from a mailbox to itself and read it back: its folder and the provider’s own check. Up to 30 s',
  ...routeOf(routes.startSelfTest),
  access: 'member',
  permission: 'messages:send',
  body: NewCheck,
  answers: { 200: { description: 'The part self_test of a check.', body: Part } },
  errors: ['config_not_found', 'mail_too_large', 'mailbox_paused', 'queue_full', 'send_failed'],
})

export const getDeliverabilityCheck = defineOperation({
  name: 'getDeliverabilityCheck',
  summary: 'The result of a check',
  ...routeOf(routes.getDeliverabilityCheck),
  access: 'member',
  permission: 'messages:send',
  caller: 'program',
  params: Type.Object({ id: Type.String({ maxLength: 40 }) }),
  answers: { 200: { description: 'The result.', body: Check } },
  errors: ['check_not_found'],
})
