import type { Condition } from '../contract/design/design.ts'

/** Text that only recipients get for whom the condition holds. */
export function withCondition(condition: Condition | undefined, text: string): string {
  if (condition === undefined) return text
  const { variable, operator, value = '' } = condition
  const quote = value.includes('"') ? "'" : '"'
  const test = operator === 'filled' ? '' : ` ${operator === 'is' ? '==' : '!='} ${quote}${value}${quote}`
  return `{{#if ${variable}${test}}}${text}{{/if}}`
}
