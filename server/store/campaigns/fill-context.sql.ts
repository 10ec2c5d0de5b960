import type { MergeFields } from '../../domain/campaigns/merge-fields.ts'

/** PostgreSQL passes at most 100 arguments to a function. */
const pairsMaxCount = 50

/**
 * Expression for a contact `c`: its values of the fields as a JSON object by field key; null without any. `add`: adds a parameter.
 */
export function contextSql(
  { fields, usesAddress }: MergeFields,
  add: (value: unknown, type: string) => string,
): string {
  const pairs = fields.map(({ no, key }) => `${add(key, 'text')}, c.fields -> '${Math.trunc(no)}'`)
  if (usesAddress) pairs.push(`'email', c.email`)
  if (pairs.length === 0) return 'null::jsonb'
  const objects: string[] = []
  for (let from = 0; from < pairs.length; from += pairsMaxCount)
    objects.push(`jsonb_build_object(${pairs.slice(from, from + pairsMaxCount).join(', ')})`)
  return `nullif(jsonb_strip_nulls(${objects.join(' || ')}), '{}')`
}
