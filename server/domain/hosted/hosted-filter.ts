import { filtersMaxCount } from '../../../contract/hosted/hosted.limits.ts'

/** How a field is held against a value. */
export type FilterOperator = 'equal' | 'gt' | 'lt' | 'contains'

/** One condition of a list: a path into the document and a comparison of its value. */
export interface DocumentFilter {
  path: readonly string[]
  operator: FilterOperator
  value: string
}

/** A filter that cannot be read: which one, counted from 0, and what to do. */
export interface FilterProblem {
  index: number
  sentence: string
}

const suffixes: Readonly<Record<string, FilterOperator>> = { __gt: 'gt', __lt: 'lt', __contains: 'contains' }
const pathMaxSteps = 8

/**
 * Reads the filters of a list call: `field=value`, a dot leads into an object, and `__gt`, `__lt` or `__contains` at the
 * field's end compares instead of equating (decisions, API). Any other suffix is part of the name.
 */
export function readFilters(
  texts: readonly string[],
): { ok: true; filters: DocumentFilter[] } | { ok: false; problem: FilterProblem } {
  if (texts.length > filtersMaxCount) {
    return {
      ok: false,
      problem: { index: filtersMaxCount, sentence: `filter is given more than ${filtersMaxCount} times` },
    }
  }
  const filters: DocumentFilter[] = []
  for (const [index, text] of texts.entries()) {
    const at = text.indexOf('=')
    const field = text.slice(0, at)
    const suffix = /__[a-z]+$/.exec(field)?.[0] ?? ''
    const operator = suffixes[suffix]
    const path = (operator === undefined ? field : field.slice(0, -suffix.length)).split('.')
    if (at < 1 || path.includes('')) {
      return { ok: false, problem: { index, sentence: 'filter is not field=value; write it as status=active' } }
    }
    if (path.length > pathMaxSteps) {
      return { ok: false, problem: { index, sentence: `filter leads deeper than ${pathMaxSteps} objects` } }
    }
    filters.push({ path, operator: operator ?? 'equal', value: text.slice(at + 1) })
  }
  return { ok: true, filters }
}
