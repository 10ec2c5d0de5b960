import { Type, type Static } from 'typebox'
import { preheaderMaxChars } from '../design/design.limits.ts'
import type { Design } from '../design/design.ts'
import { subjectMaxChars } from './message.limits.ts'
import { AttachmentInfo, attachments } from '../files/attachment.ts'
import { templateNameMaxChars, templateTagMaxChars, templateTagsMaxCount } from './template.limits.ts'
import { defineOperation, routeOf } from '../core/operation.ts'
import { CursorPaging, pageAnswer } from '../core/paging.ts'
import * as routes from './template.routes.ts'

/** `ready` once each merge variable of subject and body has a tag. */
export const templateStatuses = ['draft', 'ready'] as const
export type TemplateStatus = (typeof templateStatuses)[number]

/** How a template is edited: as a letter, as blocks, or as code. */
export const templateModes = ['text', 'design', 'html'] as const
export type TemplateMode = (typeof templateModes)[number]

const revision = Type.Integer({ minimum: 1, maximum: 2 ** 53 - 2 })

const Template = Type.Object({
  id: Type.String(),
  key: Type.String({ description: 'Names the template in template_key; it never changes' }),
  name: Type.String({ description: 'For people; empty where it has none: lists show the subject then' }),
  subject: Type.String(),
  body: Type.String({ description: 'HTML; rendered by the server if the template has a design' }),
  mode: Type.Enum([...templateModes]),
  preheader: Type.String({ description: 'Text behind the subject in the inbox; may be empty' }),
  design: Type.Optional(
    Type.Unknown({ description: 'The design document; null in mode html. Lists leave a document out' }),
  ),
  revision: Type.Integer({ description: 'Grows with each save' }),
  context: Type.Array(Type.String(), { description: 'Tags: names of the merge variables' }),
  status: Type.Enum([...templateStatuses]),
  is_public: Type.Optional(Type.Boolean({ description: 'Whether embeds show it to anybody, without a session' })),
  attachments: Type.Optional(Type.Array(AttachmentInfo, { description: 'Its files. Absent in lists' })),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A reusable subject and body of a workspace. */
export type Template = Static<typeof Template>

const name = Type.String({ maxLength: templateNameMaxChars, description: 'For people; trimmed, may be empty' })
const subject = Type.String({ minLength: 1, maxLength: subjectMaxChars })
const body = Type.String({ minLength: 1, description: 'HTML, stored as it is; not together with design' })
const design = Type.Unsafe<Design | Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true, description: 'A design document (version 1); not together with body' }),
)
const preheader = Type.String({ maxLength: preheaderMaxChars, description: 'Text behind the subject in the inbox' })
const mode = Type.Enum([...templateModes], {
  description: 'Follows from body or design if absent; another one than theirs is refused',
})
const context = Type.Array(Type.String({ maxLength: templateTagMaxChars }), {
  maxItems: templateTagsMaxCount,
  description: 'Tags; trimmed, each kept once',
})

const is_public = Type.Optional(Type.Boolean({ description: 'Ignored in calls of an embed session' }))

const NewTemplate = Type.Object({
  name: Type.Optional(name),
  subject,
  body: Type.Optional(body),
  design: Type.Optional(design),
  mode: Type.Optional(mode),
  preheader: Type.Optional(preheader),
  context: Type.Optional(context),
  attachments,
  is_public,
})
export type NewTemplate = Static<typeof NewTemplate>

const TemplateChanges = Type.Object({
  name: Type.Optional(name),
  subject: Type.Optional(subject),
  body: Type.Optional(body),
  design: Type.Optional(design),
  mode: Type.Optional(mode),
  preheader: Type.Optional(preheader),
  context: Type.Optional(context),
  attachments,
  is_public,
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2 ** 53 - 2,
      description: 'The revision that the change is based on; another one answers revision_conflict',
    }),
  ),
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
  errors: ['templates_full', 'design_and_body', 'design_invalid', 'attachment_refused', 'storage_full'],
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
      Type.String({
        maxLength: 200,
        description: 'Only those in whose name, subject, key or tags each of these words occurs, whatever its case',
      }),
    ),
    with_content: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'The search reads the first 20,000 characters of the body’s text, too',
      }),
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
  summary: 'Change name, subject, body or design, preheader or tags of a template; each save adds a version',
  ...routeOf(routes.updateEmailTemplate),
  access: 'member',
  permission: 'templates:write',
  embed: { scope: 'templates:write' },
  params: byId,
  body: TemplateChanges,
  answers: { 200: { description: 'Changed.', body: Template } },
  errors: [
    'template_not_found',
    'revision_conflict',
    'design_and_body',
    'design_invalid',
    'attachment_refused',
    'storage_full',
  ],
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
  summary: 'Restore a deleted template',
  ...routeOf(routes.restoreEmailTemplate),
  access: 'member',
  permission: 'templates:write',
  embed: { scope: 'templates:write' },
  params: byId,
  answers: { 200: { description: 'There again, under its key.', body: Template } },
  isRepeatable: true,
  errors: ['template_not_found'],
})

const TemplateVersion = Type.Object({
  revision,
  name: Type.String(),
  subject: Type.String(),
  preheader: Type.String(),
  mode: Type.Enum([...templateModes]),
  created_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the person who saved it; null if an embed did or the account is closed',
  }),
  created_at: Type.String({ description: 'ISO 8601, UTC' }),
})
/** A saved state of a template. */
export type TemplateVersion = Static<typeof TemplateVersion>

export const getTemplateVersions = defineOperation({
  name: 'getTemplateVersions',
  summary: 'The last 50 versions of a template, newest first; the first is the current one',
  ...routeOf(routes.getTemplateVersions),
  access: 'member',
  permission: 'templates:read',
  params: byId,
  answers: { 200: { description: 'The versions.', body: Type.Array(TemplateVersion) } },
  errors: ['template_not_found'],
})

export const restoreTemplateVersion = defineOperation({
  name: 'restoreTemplateVersion',
  summary: 'Give a template the content of an earlier version, as a new version',
  ...routeOf(routes.restoreTemplateVersion),
  access: 'member',
  permission: 'templates:write',
  params: Type.Object({ id: Type.String(), revision }),
  answers: { 200: { description: 'The template with that content.', body: Template } },
  isRepeatable: true,
  errors: ['template_not_found', 'version_not_found'],
})

export const deleteAllTemplates = defineOperation({
  name: 'deleteAllTemplates',
  summary: 'Delete all templates of the workspace; for 30 days each can be restored',
  ...routeOf(routes.deleteAllTemplates),
  access: 'member',
  permission: 'templates:write',
  answers: { 204: { description: 'Deleted.' } },
})
