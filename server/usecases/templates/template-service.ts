import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { TemplatePage, TemplateRow } from '../../domain/templates/template.ts'

interface Ports {
  templates: {
    list: (
      workspaceId: string,
      page: TemplatePage,
      shown?: 'all' | 'public',
    ) => Promise<{ rows: TemplateRow[]; total: number }>
    find: (workspaceId: string, id: string, shown?: 'all' | 'public') => Promise<TemplateRow | null>
    remove: (workspaceId: string, id: string | null) => Promise<number>
    restore: (workspaceId: string, id: string) => Promise<TemplateRow | null>
  }
}

/** What a workspace does with the templates it has. Those of another read as unknown. */
export function createTemplateService({ templates }: Ports) {
  const known = async (id: string, find: () => Promise<TemplateRow | null>): Promise<TemplateRow> => {
    const template = isRowId(id) ? await find() : null
    if (template === null) throw new AppError('template_unknown')
    return template
  }
  return {
    /** Newest first; `public` for those that embeds show to anybody. */
    listTemplates: (workspaceId: string, page: TemplatePage, shown?: 'all' | 'public') =>
      templates.list(workspaceId, page, shown),

    /** Throws `template_unknown`. */
    getTemplate: (workspaceId: string, id: string, shown?: 'all' | 'public') =>
      known(id, () => templates.find(workspaceId, id, shown)),

    /** Throws `template_unknown`. */
    async deleteTemplate(workspaceId: string, id: string): Promise<void> {
      const isGone = isRowId(id) && (await templates.remove(workspaceId, id)) > 0
      if (!isGone) throw new AppError('template_unknown')
    },

    async deleteAllTemplates(workspaceId: string): Promise<void> {
      await templates.remove(workspaceId, null)
    },

    /** Takes a deletion back. Throws `template_unknown`, for what is not deleted too. */
    restoreTemplate: (workspaceId: string, id: string) => known(id, () => templates.restore(workspaceId, id)),
  }
}
