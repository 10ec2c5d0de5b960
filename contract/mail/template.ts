import { Type, type Static } from 'typebox'
import { subjectMaxChars } from './message.limits.ts'
import { templateNameMaxChars, templateTagMaxChars, templateTagsMaxCount } from './template.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import * as routes from './template.routes.ts'

/** `ready` once each merge variable of subject and body has a tag. */
export const templateStatuses = ['draft', 'ready'] as const
export type TemplateStatus = (typeof templateStatuses)[number]

const Template = Type.Object({
  id: Type.String(),
  key: Type.String({ description: 'Names the template in template_key; it never changes' }),
  name: Type.String({ description: 'For people; empty where it has none: lists show the subject then' }),
  subject: Type.String(),
  body: Type.String({ description: 'HTML' }),
  context: Type.Array(Type.String(), { description: 'Tags: names of the merge variables' }),
  status: Type.Enum([...templateStatuses]),
  is_public: Type.Optional(Type.Boolean({ description: 'Whether embeds show it to anybody, without a session' })),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A reusable subject and body of a workspace. */
export type Template = Static<typeof Template>

const name = Type.String({ maxLength: templateNameMaxChars, description: 'For people; trimmed, may be empty' })
const subject = Type.String({ minLength: 1, maxLength: subjectMaxChars })
const body = Type.String({ minLength: 1, description: 'HTML' })
const context = Type.Array(Type.String({ maxLength: templateTagMaxChars }), {
  maxItems: templateTagsMaxCount,
  description: 'Tags; trimmed, each kept once',
})

const is_public = Type.Optional(Type.Boolean({ description: 'Ignored in calls of an embed session' }))

const NewTemplate = Type.Object({
  name: Type.Optional(name),
  subject,
  body,
  context: Type.Optional(context),
  is_public,
})
export type NewTemplate = Static<typeof NewTemplate>

const TemplateChanges = Type.Object({
  name: Type.Optional(name),
  subject: Type.Optional(subject),
  body: Type.Optional(body),
  context: Type.Optional(context),
  is_public,
})
/** What of a template can be changed; everything else in the payload is left alone. */
export type TemplateChanges = Static<typeof TemplateChanges>

const byId = Type.Object({ id: Type.String() })

export const createEmailTemplate = defineOperation({
  name: 'createEmailTemplate',
  summary: 'Save a template; it gets a readable key of its own',
  ...routeOf(routes.createEmailTemplate),
  access: 'member',
  permission: 'templates:write',
  embed: { scope: 'templates:write' },
  body: NewTemplate,
  answers: { 201: { description: 'Saved.', body: Template } },
  isRepeatable: true,
  errors: ['templates_full'],
})

export const getEmailTemplates = defineOperation({
  name: 'getEmailTemplates',
  summary: 'The templates of the workspace, newest first',
  ...routeOf(routes.getEmailTemplates),
  access: 'member',
  permission: 'templates:read',
  embed: { scope: 'templates:read', byId: true },
  query: Type.Object({
    ...CursorPaging,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only those in whose name, subject or key this text occurs' }),
    ),
  }),
  answers: pageAnswer('The templates.', Template, 'How many match'),
})

export const getEmailTemplate = defineOperation({
  name: 'getEmailTemplate',
  summary: 'One template',
  ...routeOf(routes.getEmailTemplate),
  access: 'member',
  permission: 'templates:read',
  embed: { scope: 'templates:read', byId: true },
  params: byId,
  answers: { 200: { description: 'The template.', body: Template } },
  errors: ['template_not_found'],
})

export const updateEmailTemplate = defineOperation({
  name: 'updateEmailTemplate',
  summary: 'Change name, subject, body or tags of a template',
  ...routeOf(routes.updateEmailTemplate),
  access: 'member',
  permission: 'templates:write',
  embed: { scope: 'templates:write' },
  params: byId,
  body: TemplateChanges,
  answers: { 200: { description: 'Changed.', body: Template } },
  errors: ['template_not_found'],
})

export const deleteEmailTemplate = defineOperation({
  name: 'deleteEmailTemplate',
  summary: 'Delete a template; for 30 days it can be restored',
  ...routeOf(routes.deleteEmailTemplate),
  access: 'member',
  permission: 'templates:write',
  embed: { scope: 'templates:write' },
  params: byId,
  answers: { 204: { description: 'Deleted.' } },
  errors: ['template_not_found'],
})

export const restoreEmailTemplate = defineOperation({
  name: 'restoreEmailTemplate',
  summary: 'Take back the deletion of a template',
  ...routeOf(routes.restoreEmailTemplate),
  access: 'member',
  permission: 'templates:write',
  embed: { scope: 'templates:write' },
  params: byId,
  answers: { 200: { description: 'There again, under its key.', body: Template } },
  isRepeatable: true,
  errors: ['template_not_found'],
})

export const deleteAllTemplates = defineOperation({
  name: 'deleteAllTemplates',
  summary: 'Delete all templates of the workspace; for 30 days each can be restored',
  ...routeOf(routes.deleteAllTemplates),
  access: 'member',
  permission: 'templates:write',
  answers: { 204: { description: 'Deleted.' } },
})
