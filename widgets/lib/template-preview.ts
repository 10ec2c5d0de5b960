import { escapeHtml, fillTemplate, MergeSyntaxError, parseTemplate } from '../../contract/merge-variables.ts'
import type { TemplateRecord } from './template-record.ts'

/** The body as it is looked at: a global template's with its sample, an own one as it stands. */
export function filledBody({ body, sample }: Pick<TemplateRecord, 'body' | 'sample'>): string {
  if (Object.keys(sample).length === 0) return body
  try {
    return fillTemplate(parseTemplate(body), sample, escapeHtml)
  } catch (error) {
    if (error instanceof MergeSyntaxError) return body
    throw error
  }
}
