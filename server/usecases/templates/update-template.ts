import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { TemplateRow } from '../../domain/templates/template.ts'
import type { TemplateStore } from '../../store/templates/template.ts'
import { readTexts, type TemplateTexts } from './template-texts.ts'

/** Changes the given fields. Throws `validation`, `template_not_found`. */
export function createUpdateTemplate({ templates }: { templates: Pick<TemplateStore, 'update'> }) {
  return async (scope: Scope, id: string, changes: Partial<TemplateTexts>): Promise<TemplateRow> => {
    const cleaned = readTexts(changes)
    const template = isRowId(id) ? await templates.update(scope, id, cleaned) : null
    if (template === null) throw new AppError('template_not_found')
    return template
  }
}
