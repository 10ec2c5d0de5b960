import { listDefaultCount } from '../../contract/limits.ts'
import { totalCountHeader } from '../../contract/paging.ts'
import * as contract from '../../contract/template.ts'
import { templateStatus, type TemplateRow } from '../domain/template.ts'
import type { TemplateTexts } from '../usecases/write-template.ts'
import type { AddRoute } from './route.ts'

/** The use-cases behind the template calls. */
export interface TemplateUseCases {
  createTemplate: (workspaceId: string, texts: TemplateTexts, makes: string | null) => Promise<TemplateRow>
  updateTemplate: (workspaceId: string, id: string, changes: Partial<TemplateTexts>) => Promise<TemplateRow>
  listTemplates: (
    workspaceId: string,
    page: { limit: number; offset: number },
  ) => Promise<{ rows: TemplateRow[]; total: number }>
  getTemplate: (workspaceId: string, id: string) => Promise<TemplateRow>
  deleteTemplate: (workspaceId: string, id: string) => Promise<void>
  deleteAllTemplates: (workspaceId: string) => Promise<void>
  restoreTemplate: (workspaceId: string, id: string) => Promise<TemplateRow>
}

/** `/email/template` and `/email/templates` (spec §7). */
export function addTemplateRoutes(add: AddRoute, useCases: TemplateUseCases): void {
  add(contract.createEmailTemplate, async ({ body, caller, makes }) => {
    const { subject, body: html, context = [] } = body
    return toTemplate(await useCases.createTemplate(caller.workspace.id, { subject, body: html, tags: context }, makes))
  })

  add(contract.getEmailTemplates, async ({ query, caller, reply }) => {
    const page = { limit: query.limit ?? listDefaultCount, offset: query.offset ?? 0 }
    const { rows, total } = await useCases.listTemplates(caller.workspace.id, page)
    void reply.header(totalCountHeader, total)
    return rows.map(toTemplate)
  })

  add(contract.getEmailTemplate, async ({ params, caller }) =>
    toTemplate(await useCases.getTemplate(caller.workspace.id, params.id)),
  )

  add(contract.updateEmailTemplate, async ({ params, body, caller }) => {
    const { subject, body: html, context } = body
    const changes = {
      ...(subject !== undefined && { subject }),
      ...(html !== undefined && { body: html }),
      ...(context && { tags: context }),
    }
    return toTemplate(await useCases.updateTemplate(caller.workspace.id, params.id, changes))
  })

  add(contract.deleteEmailTemplate, async ({ params, caller }) => {
    await useCases.deleteTemplate(caller.workspace.id, params.id)
    return null
  })

  add(contract.deleteAllTemplates, async ({ caller }) => {
    await useCases.deleteAllTemplates(caller.workspace.id)
    return null
  })

  add(contract.restoreEmailTemplate, async ({ params, caller }) =>
    toTemplate(await useCases.restoreTemplate(caller.workspace.id, params.id)),
  )
}

function toTemplate(row: TemplateRow): contract.Template {
  return {
    id: row.id,
    key: row.key,
    subject: row.subject,
    body: row.body,
    context: [...row.tags],
    status: templateStatus(row),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}
