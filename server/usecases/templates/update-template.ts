import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { TemplateRow } from '../../domain/templates/template.ts'
import type { TemplateStore } from '../../store/templates/template.ts'
import { readTexts, type TemplateTexts } from './template-texts.ts'

/** Who saves, and which revision the change is based on; null: any. */
export interface TemplateSave {
  createdBy: string | null
  revision: number | null
}

/**
 * Saves the given fields as a new version.
 * Throws `validation`, `design_and_body`, `design_invalid`, `template_not_found`, `revision_conflict`.
 */
export function createUpdateTemplate({ templates }: { templates: Pick<TemplateStore, 'find' | 'update'> }) {
  return async (scope: Scope, id: string, changes: TemplateTexts, save: TemplateSave): Promise<TemplateRow> => {
    const isInDesign = changes.preheader !== undefined && changes.design === undefined && changes.body === undefined
    const current = isInDesign && isRowId(id) ? await templates.find(scope, id) : null
    const change = readTexts(changes, current)
    // The design that a new preheader is written into must still be the current one.
    const revision = save.revision ?? (change.design && isInDesign ? (current?.revision ?? null) : null)
    const template = isRowId(id) ? await templates.update(scope, id, change, { ...save, revision }) : null
    if (template !== null) return template
    const newer = isRowId(id) ? await templates.find(scope, id) : null
    if (newer === null) throw new AppError('template_not_found')
    throw new AppError('revision_conflict', { extra: { revision: newer.revision } })
  }
}
