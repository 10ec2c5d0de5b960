import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { TemplatePage, TemplateRow } from '../../domain/templates/template.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { TemplateStore } from '../../store/templates/template.ts'

interface Ports {
  templates: Pick<TemplateStore, 'list' | 'find' | 'remove' | 'restore'>
}

/** Reads and deletes templates of a workspace. Templates of other workspaces are unknown. */
export function createTemplateService({ templates }: Ports) {
  const known = async (id: string, find: () => Promise<TemplateRow | null>): Promise<TemplateRow> => {
    const template = isRowId(id) ? await find() : null
    if (template === null) throw new AppError('template_not_found')
    return template
  }
  return {
    /** Newest first; `public` for those that embeds show to anybody. */
    listTemplates: (scope: Scope, page: TemplatePage, shown?: 'all' | 'public') => templates.list(scope, page, shown),

    /** Throws `template_not_found`. */
    getTemplate: (scope: Scope, id: string, shown?: 'all' | 'public') =>
      known(id, () => templates.find(scope, id, shown)),

    /** Throws `template_not_found`. */
    async deleteTemplate(scope: Scope, id: string): Promise<void> {
      const isGone = isRowId(id) && (await templates.remove(scope, id)) > 0
      if (!isGone) throw new AppError('template_not_found')
    },

    async deleteAllTemplates(scope: Scope): Promise<void> {
      await templates.remove(scope, null)
    },

    /** Undoes a deletion. Throws `template_not_found`, also for a template that is not deleted. */
    restoreTemplate: (scope: Scope, id: string) => known(id, () => templates.restore(scope, id)),
  }
}
