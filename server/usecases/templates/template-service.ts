import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { TemplatePage, TemplateRow, TemplateVersionRow } from '../../domain/templates/template.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { TemplateStore } from '../../store/templates/template.ts'

interface Ports {
  templates: Pick<TemplateStore, 'list' | 'find' | 'remove' | 'restore' | 'listVersions' | 'findVersion' | 'update'>
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

    /** Newest first. Throws `template_not_found`. */
    async listTemplateVersions(scope: Scope, id: string): Promise<TemplateVersionRow[]> {
      await known(id, () => templates.find(scope, id))
      return templates.listVersions(scope, id)
    },

    /** Saves an earlier version's content as a new version. Throws `template_not_found`, `version_not_found`. */
    async restoreTemplateVersion(
      scope: Scope,
      id: string,
      revision: number,
      createdBy: string | null,
    ): Promise<TemplateRow> {
      await known(id, () => templates.find(scope, id))
      const version = await templates.findVersion(scope, id, revision)
      if (version === null) throw new AppError('version_not_found')
      return known(id, () => templates.update(scope, id, version, { createdBy }))
    },

    /** Undoes a deletion. Throws `template_not_found`, also for a template that is not deleted. */
    restoreTemplate: (scope: Scope, id: string) => known(id, () => templates.restore(scope, id)),
  }
}
