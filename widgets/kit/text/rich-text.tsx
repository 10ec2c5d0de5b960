import { createElement, Fragment, type ReactNode } from 'react'
import type { Translate, ValuesOf } from '../../lib/messages/messages.ts'

/** A message with elements among its values: `richText(t, 'Open {link}', { link: <a …> })`. */
export function richText<Id extends string, Own extends Id>(
  t: Translate<Id>,
  id: Own,
  ...[nodes]: ValuesOf<Own, ReactNode>
): ReactNode {
  const values = nodes as Readonly<Record<string, ReactNode>>
  const marks = Object.entries(values).map(([name, node]) => [name, typeof node === 'object' ? `\n${name}\n` : node])
  const parts = t(id as string, Object.fromEntries(marks) as Record<string, string>).split('\n')
  return createElement(Fragment, null, ...parts.map((part, at) => (at % 2 === 0 ? part : values[part])))
}
