import { useId, useState } from 'react'
import { useMessages } from '../../kit/text/text.tsx'
import type { Message } from '../../lib/messages/message.ts'
import type { Source } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { renameColumn } from './import-store.ts'

type Column = Source['columns'][number]

/** The columns of a paste or a file: the variable that each fills, to be changed, and its first values. */
export function ColumnTable({ store, source, isFixed }: { store: ComposeStore; source: Source; isFixed: boolean }) {
  const t = useMessages()
  const headingOf = ({ heading, number }: Column) => heading || t('Column {number}', { number })
  return (
    <table className="columns" aria-label={t('Columns of {name}', { name: source.name || t('Pasted addresses') })}>
      <thead>
        <tr>
          <th scope="col">{t('Column')}</th>
          <th scope="col">{t('Fills the variable')}</th>
          <th scope="col">{t('Values')}</th>
        </tr>
      </thead>
      <tbody>
        {source.columns.map((column) => (
          <tr key={column.number}>
            <th scope="row" translate={column.heading === '' ? undefined : 'no'}>
              {headingOf(column)}
            </th>
            <td>
              <VariableName
                key={column.name}
                label={t('Variable of the column {column}', { column: headingOf(column) })}
                name={column.name}
                isFixed={isFixed}
                onName={(name) => renameColumn(store, source.id, column.number, name)}
              />
            </td>
            <td className="values" translate="no">
              {column.values.join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The name, taken over with Enter and when the field is left. */
function VariableName({
  label,
  name,
  isFixed,
  onName,
}: {
  label: string
  name: string
  isFixed: boolean
  onName: (name: string) => Message | null
}) {
  const t = useMessages()
  const id = useId()
  const [text, setText] = useState(name)
  const [problem, setProblem] = useState<Message | null>(null)
  // Read from the field: keys can be faster than rendering.
  const apply = ({ value }: HTMLInputElement) => {
    const wanted = value.trim()
    if (wanted === '') setText(name)
    setProblem(wanted === '' ? null : onName(wanted))
  }
  return (
    <>
      <input
        className="variable-name"
        aria-label={label}
        aria-invalid={problem !== null}
        aria-describedby={problem ? id : undefined}
        value={text}
        readOnly={isFixed}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={(event) => apply(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault() // The form would be launched.
          apply(event.currentTarget)
        }}
      />
      {problem && (
        <span id={id} className="variable-problem" role="alert">
          {t(problem.text)}
        </span>
      )}
    </>
  )
}
