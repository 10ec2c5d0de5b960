import { Type, type Static } from 'typebox'
import { defineOperation, routeOf } from '../core/operation.ts'
import { Paging } from '../core/paging.ts'
import { incomingKinds } from '../inbox/inbox.limits.ts'
import * as routes from './sandbox.routes.ts'

const SandboxMessage = Type.Object({
  id: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String(), { description: 'Envelope recipients' }),
  subject: Type.String(),
  date: Type.String({ description: 'When it arrived; ISO 8601, UTC' }),
  html: Type.Union([Type.String(), Type.Null()]),
  text: Type.Union([Type.String(), Type.Null()]),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Decoded, names in lower case' }),
  raw: Type.String({ description: 'The message as it came over SMTP' }),
})
/** A mail that the sandbox received. */
export type SandboxMessage = Static<typeof SandboxMessage>

export const listSandboxMessages = defineOperation({
  name: 'listSandboxMessages',
  summary: 'Mails that the sandbox received, newest first',
  ...routeOf(routes.listSandboxMessages),
  access: 'loopback',
  query: Type.Object({
    to: Type.Optional(Type.String({ description: 'Only mails to this address' })),
    limit: Paging.limit,
  }),
  answers: { 200: { description: 'The mails.', body: Type.Array(SandboxMessage) } },
})

export const getSandboxMessage = defineOperation({
  name: 'getSandboxMessage',
  summary: 'One mail that the sandbox received',
  ...routeOf(routes.getSandboxMessage),
  access: 'loopback',
  caller: 'program',
  params: Type.Object({ id: Type.String() }),
  answers: { 200: { description: 'The mail.', body: SandboxMessage } },
  errors: ['not_found'],
})

export const answerSandboxMessage = defineOperation({
  name: 'answerSandboxMessage',
  summary: 'Put a bounce, a reply, an out-of-office reply or a complaint for a received mail into the sandbox mailbox',
  ...routeOf(routes.answerSandboxMessage),
  access: 'loopback',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ kind: Type.Enum([...incomingKinds]) }),
  answers: { 204: { description: 'It lies in the mailbox; a mailbox that is read finds it at once.' } },
  errors: ['not_found'],
})
