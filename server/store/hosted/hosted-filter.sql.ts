import type { DocumentFilter } from '../../domain/hosted/hosted-filter.ts'

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const jsonWords = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/**
 * The filters of a list as one condition on the column `data`. Names and values are parameters, as JSON or as strings
 * of a JSON path: no input becomes SQL. Appends to `values`.
 */
export function filterCondition(filters: readonly DocumentFilter[], values: unknown[]): string {
  const bind = (value: string, type: 'jsonb' | 'jsonpath') => `$${values.push(value)}::${type}`
  const holds = (object: string) => `data @> ${bind(object, 'jsonb')}`
  // The function, because the operator would use the index, which supports equality only.
  const matches = (path: string) => `jsonb_path_exists(data, ${bind(path, 'jsonpath')}, '{}', true)`
  const conditions = filters.map(({ path, operator, value }) => {
    const candidates = candidatesOf(value)
    switch (operator) {
      case 'equal':
        return candidates.map((candidate) => holds(nest(path, candidate))).join(' or ')
      case 'gt':
      case 'lt': {
        const sign = operator === 'gt' ? '>' : '<'
        const comparable = candidates.filter((candidate) => typeof candidate !== 'boolean' && candidate !== null)
        return matches(
          pathTo(path, comparable.map((candidate) => `@ ${sign} ${JSON.stringify(candidate)}`).join(' || ')),
        )
      }
      case 'contains':
        return [
          matches(pathTo(path, `@ like_regex ${JSON.stringify(value)} flag "iq"`)),
          ...candidates.map((candidate) => holds(nest(path, [candidate]))),
        ].join(' or ')
    }
  })
  return conditions.map((condition) => ` and (${condition})`).join('')
}

/** Possible values of a query parameter: the text, and the number, boolean or null that it spells. */
function candidatesOf(value: string): (string | number | boolean | null)[] {
  const word = jsonWords.get(value)
  if (word !== undefined) return [value, word]
  const number = jsonNumber.test(value) ? Number(value) : Number.NaN
  return Number.isFinite(number) ? [value, number] : [value]
}

function nest(path: readonly string[], value: unknown): string {
  return JSON.stringify(path.reduceRight((inner, step) => Object.fromEntries([[step, inner]]), value))
}

/** `strict`: does not search inside arrays. */
function pathTo(path: readonly string[], condition: string): string {
  return `strict $${path.map((step) => `.${JSON.stringify(step)}`).join('')} ? (${condition})`
}
