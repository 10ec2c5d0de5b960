import type { Scope } from '../../domain/auth/scope.ts'
import type { AttachmentService } from '../../usecases/attachments/attachment-service.ts'
import type { createTemplateService } from '../../usecases/templates/template-service.ts'
import type { createCreateTemplate } from '../../usecases/templates/create-template.ts'
import type { createUpdateTemplate } from '../../usecases/templates/update-template.ts'
import * as contract from '../../../contract/mail/template.ts'
import type { MemberCaller } from '../../domain/auth/caller.ts'
import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedCaller, EmbedVisitor } from '../../domain/auth/embed.ts'
import { templateStatus, type ListedTemplate, type TemplateRow } from '../../domain/templates/template.ts'
import { answerPage, readPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the template calls. */
export interface TemplateUseCases extends ReturnType<typeof createTemplateService> {
  createTemplate: ReturnType<typeof createCreateTemplate>
  updateTemplate: ReturnType<typeof createUpdateTemplate>
  readAttachments: AttachmentService['readAttachments']
  replaceAttachments: AttachmentService['replaceAttachments']
  listAttachments: AttachmentService['listAttachments']
  noteEmbedAct: (scope: Scope, caller: EmbedCaller, act: EmbedAct) => Promise<void>
}

/** `/email/template` and `/email/templates` (spec §7). */
export function addTemplateRoutes(add: AddRoute, useCases: TemplateUseCases): void {
  add(contract.createEmailTemplate, async ({ body, caller, scope, resourceId }) => {
    const { context, is_public: isPublic, attachments = [], ...texts } = body
    const files = await useCases.readAttachments(scope, attachments)
    const given = { ...texts, ...(context && { tags: context }), ...publicBy(caller, isPublic) }
    const template = await useCases.createTemplate(scope, given, personOf(caller), resourceId)
    if (files.length > 0) await useCases.replaceAttachments(scope, ownerOf(template), files)
    await note(scope, caller, 'template-saved')
    return answer(scope, template)
  })

  add(contract.getEmailTemplates, async ({ query, caller, scope, reply }) => {
    const words = query.search?.toLowerCase().match(/\S+/g) ?? null
    const page = { ...readPage(query), words, isWithContent: query.with_content === true }
    return answerPage(reply, await useCases.listTemplates(scope, page, shownTo(caller)), toListed)
  })

  add(contract.getEmailTemplate, async ({ params, caller, scope }) =>
    answer(scope, await useCases.getTemplate(scope, params.id, shownTo(caller))),
  )

  add(contract.updateEmailTemplate, async ({ params, body, caller, scope }) => {
    const { context, is_public: isPublic, revision = null, attachments, ...texts } = body
    const files = attachments && (await useCases.readAttachments(scope, attachments))
    const changes = { ...texts, ...(context && { tags: context }), ...publicBy(caller, isPublic) }
    const save = { createdBy: personOf(caller), revision }
    const template = await useCases.updateTemplate(scope, params.id, changes, save)
    if (files) await useCases.replaceAttachments(scope, ownerOf(template), files)
    await note(scope, caller, 'template-saved')
    return answer(scope, template)
  })

  add(contract.deleteEmailTemplate, async ({ params, caller, scope }) => {
    await useCases.deleteTemplate(scope, params.id)
    await note(scope, caller, 'template-deleted')
  })

  add(contract.deleteAllTemplates, ({ scope }) => useCases.deleteAllTemplates(scope))

  add(contract.restoreEmailTemplate, async ({ params, caller, scope }) => {
    const template = await useCases.restoreTemplate(scope, params.id)
    await note(scope, caller, 'template-saved')
    return toTemplate(template)
  })

  add(contract.getTemplateVersions, async ({ params, scope }) =>
    (await useCases.listTemplateVersions(scope, params.id)).map((version) =>
      toWire(version, ['revision', 'name', 'subject', 'preheader', 'mode', 'createdBy', 'createdAt']),
    ),
  )

  add(contract.restoreTemplateVersion, async ({ params, caller, scope }) =>
    toTemplate(await useCases.restoreTemplateVersion(scope, params.id, params.revision, personOf(caller))),
  )

  async function answer(scope: Scope, template: TemplateRow): Promise<contract.Template> {
    const files = await useCases.listAttachments(scope, ownerOf(template))
    return {
      ...toTemplate(template),
      attachments: files.map(({ filename, sizeBytes }) => ({ filename, size: sizeBytes })),
    }
  }

  async function note(scope: Scope, caller: MemberCaller | EmbedCaller, act: EmbedAct): Promise<void> {
    if (caller.kind === 'embed') await useCases.noteEmbedAct(scope, caller, act)
  }
}

const ownerOf = ({ id }: TemplateRow) => ({ kind: 'template', id }) as const

/** An embed's id alone opens what is public. */
function shownTo(caller: MemberCaller | EmbedCaller | EmbedVisitor): 'all' | 'public' {
  return caller.kind === 'embed_visitor' ? 'public' : 'all'
}

/** Only who is signed in may show a template to anybody. */
function publicBy(caller: MemberCaller | EmbedCaller, isPublic: boolean | undefined): { isPublic?: boolean } {
  return isPublic === undefined || caller.kind === 'embed' ? {} : { isPublic }
}

/** Who saves; null for an embed. */
function personOf(caller: MemberCaller | EmbedCaller): string | null {
  return caller.kind === 'member' ? caller.userId : null
}

function toTemplate(row: TemplateRow): contract.Template {
  return { ...toListed(row), design: row.design }
}

function toListed(row: ListedTemplate): contract.Template {
  return {
    ...toWire(row, ['id', 'key', 'name', 'subject', 'body', 'mode', 'preheader', 'revision', 'isPublic']),
    ...toWire(row, ['createdAt', 'updatedAt']),
    ...(row.mode === 'html' && { design: null }),
    context: [...row.tags],
    status: templateStatus(row),
  }
}
