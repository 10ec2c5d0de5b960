import { escapeHtml, fillTemplate, readTemplate } from '../../contract/merge-variables.ts'
import type { TemplateRecord } from './template-record.ts'

/** The body as it is looked at: a global template's with its sample, an own one as it stands. What cannot be read stays. */
export function filledBody({ body, sample }: Pick<TemplateRecord, 'body' | 'sample'>): string {
  if (Object.keys(sample).length === 0) return body
  return fillTemplate(
    readTemplate(body, () => undefined),
    sample,
    escapeHtml,
  )
}
