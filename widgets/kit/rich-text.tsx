import { Fragment, type ReactNode } from 'react'
import type { Translate, ValuesOf } from '../lib/messages/messages.ts'

/** A message with elements among its values: `richText(t, 'Open {link}', { link: <a …> })`. */
export function richText<Id extends string, Own extends Id>(
  t: Translate<Id>,
  id: Own,
  ...[values]: ValuesOf<Own, ReactNode>
): ReactNode {
  const nodes = values as Readonly<Record<string, ReactNode>>
  const marks = Object.entries(nodes).map(([name, node]) => [name, name === 'count' ? node : `\u0001${name}\u0001`])
  const text = (t as Translate<string>)(id as string, ...([Object.fromEntries(marks)] as unknown as []))
  return text.split('\u0001').map((part, at) => <Fragment key={at}>{at % 2 === 0 ? part : nodes[part]}</Fragment>)
}
